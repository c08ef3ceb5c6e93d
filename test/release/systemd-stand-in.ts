import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CLIENT = join(import.meta.dirname, '..', 'fixtures', 'release', 'systemctl.mjs');
const NOTE_LIFE = join(import.meta.dirname, '..', '..', 'deploy/systemd/every/opt/aivoice/bin/note-life');
const READY_MS = 20_000;
const STOP_MS = 10_000;
/** Restart=always, RestartSec= */
const RESTART_MS = 100;

/**
 * Stands for systemd where there is none: it really runs what `ExecStart=` of the units would, restarts the appliance as
 * often as it dies, and answers the few commands of systemctl that the installer uses.
 */
export class SystemdStandIn implements AsyncDisposable {
  readonly systemctl: string;
  readonly journalctl: string;
  /** What systemctl was asked for, in order. */
  readonly asked: string[] = [];
  /** Called before a command is answered: what it returns is waited for. */
  hold: (command: string) => Promise<void> | void = () => {};
  /** Whether each death is noted, as ExecStopPost= of the unit does. */
  notesDeaths = false;
  readonly #root: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #journal: string;
  readonly #server: Server;
  #appliance: ChildProcess | undefined;
  #watch: ChildProcess | undefined;
  #wanted = false;
  #restarts = 0;

  constructor(root: string, env: Readonly<Record<string, string>>) {
    this.#root = root;
    const socket = join(root, 'systemd.sock');
    this.systemctl = join(root, 'bin', 'systemctl');
    this.journalctl = join(root, 'bin', 'journalctl');
    this.#journal = join(root, 'journal');
    this.#env = {
      ...env,
      AIVOICE_ROOT: root,
      AIVOICE_SYSTEMCTL: this.systemctl,
      AIVOICE_JOURNALCTL: this.journalctl,
    };
    mkdirSync(dirname(this.systemctl), { recursive: true });
    writeFileSync(this.#journal, '');
    const script = (text: string) => `#!/bin/sh\nexec ${text}\n`;
    writeFileSync(this.systemctl, script(`'${process.execPath}' '${CLIENT}' '${socket}' "$@"`), {
      mode: 0o755,
    });
    writeFileSync(this.journalctl, script(`tail -n 20 '${this.#journal}'`), { mode: 0o755 });
    this.#server = createServer((client) => {
      client.on('error', () => {});
      client.setEncoding('utf8').once('data', async (text) => {
        const { code, stdout = '' } = await this.#perform(JSON.parse(String(text)));
        client.end(JSON.stringify({ code, stdout }));
      });
    }).listen(socket);
  }

  /** What the programs below it are given. */
  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** The process of the appliance that runs. */
  get pid(): number | undefined {
    return this.#appliance?.pid;
  }

  /** The watch over a new release, until it ends. */
  async watchEnded(): Promise<number | null> {
    const watch = this.#watch;
    if (!watch) return null;
    if (watch.exitCode === null && watch.signalCode === null) await once(watch, 'exit');
    return watch.exitCode;
  }

  async start(): Promise<void> {
    await this.#restart();
  }

  /** As a power cut does: everything is gone at once. */
  async cutPower(): Promise<void> {
    this.#wanted = false;
    for (const child of [this.#watch, this.#appliance]) if (child) await end(child, 'SIGKILL');
    this.#watch = undefined;
    this.#appliance = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower();
    this.#server.close();
  }

  async #perform(args: readonly string[]): Promise<{ code: number; stdout?: string }> {
    const command = args.join(' ');
    this.asked.push(command);
    await this.hold(command);
    const [verb] = args;
    if (verb === 'show') {
      const state = this.#appliance?.exitCode === null ? 'active' : 'activating';
      return { code: 0, stdout: `NRestarts=${this.#restarts}\nActiveState=${state}\n` };
    }
    if (verb === 'restart' && args.includes('aivoice-watch.service')) {
      if (this.#watch) await end(this.#watch, 'SIGKILL');
      this.#watch = this.#spawn('aivoice-install', ['watch']);
      return { code: 0 };
    }
    if (verb === 'restart') return { code: (await this.#restart()) ? 0 : 1 };
    if (verb === 'start' && args.includes('aivoice-mend.service')) {
      this.#spawn('aivoice-install', ['mend']);
      return { code: 0 };
    }
    return { code: verb === 'reset-failed' ? 0 : 1 };
  }

  async #restart(): Promise<boolean> {
    this.#wanted = false;
    if (this.#appliance) await end(this.#appliance, 'SIGTERM');
    this.#restarts = 0;
    this.#wanted = true;
    return await this.#launch();
  }

  async #launch(): Promise<boolean> {
    const config = join(this.#root, 'etc/aivoice/appliance.toml');
    const child = this.#spawn('aivoice', ['run', '--config', config]);
    this.#appliance = child;
    child.once('exit', () => void this.#relaunch(child));
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
      if (await answers(join(this.#root, 'run/aivoice/control.sock'))) return true;
      await sleep(10);
    }
    return false;
  }

  async #relaunch(child: ChildProcess): Promise<void> {
    const isMeant = () => !this.#wanted || this.#appliance !== child;
    await sleep(RESTART_MS);
    if (isMeant()) return;
    if (this.notesDeaths) await this.#noteDeath();
    if (isMeant()) return;
    this.#restarts++;
    await this.#launch();
  }

  async #noteDeath(): Promise<void> {
    const PATH = `${dirname(this.systemctl)}:${this.#env.PATH}`;
    const env = { ...this.#env, PATH, SERVICE_RESULT: 'exit-code' };
    await once(spawn(NOTE_LIFE, ['ended'], { env, stdio: 'ignore' }), 'exit');
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const folder = (name: string) => join(this.#root, name);
    const own = {
      RUNTIME_DIRECTORY: folder('run/aivoice'),
      STATE_DIRECTORY: folder('var/lib/aivoice'),
      CACHE_DIRECTORY: folder('var/cache/aivoice'),
    };
    const child = spawn(folder(`opt/aivoice/bin/${program}`), args, {
      cwd: this.#root,
      env: { ...this.#env, ...(program === 'aivoice' ? own : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => appendFileSync(this.#journal, text));
    return child;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  kill(child.pid, signal);
  if ((await Promise.race([gone, sleep(STOP_MS, 'late', { ref: false })])) === 'late')
    kill(child.pid, 'SIGKILL');
  await gone;
}

/** The whole group, as KillMode=control-group does. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(signal === 'SIGKILL' ? -pid : pid, signal);
  } catch {
    // It has just ended.
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
