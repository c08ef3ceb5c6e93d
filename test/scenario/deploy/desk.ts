import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Waiters } from '../../cloud/waiters.ts';
import { leftoversWith, type Process } from '../processes.ts';
import type { Output } from '../program.ts';
import type { Owner } from './ssh-host.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy');

/** Desk: a copy of the deploy script with a build folder beside it, and what it leaves in its temporary folder. */
export class Desk implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-desk-'));
  readonly owner: Owner;

  constructor(owner: Owner) {
    this.owner = owner;
    for (const name of ['deploy.sh', 'language.sh', 'push', 'fleet']) {
      cpSync(join(DEPLOY, name), join(this.folder, 'deploy', name), { recursive: true });
    }
    for (const name of ['build', 'tmp']) mkdirSync(join(this.folder, name));
  }

  /** A file that looks like a release by its name alone; `time` is its age, in seconds of 1970. */
  release(bytes = 3_000_000, name = 'aivoice-2.0.0-x64.tar.zst', time?: number): string {
    const file = this.put(name, randomBytes(bytes));
    if (time !== undefined) utimesSync(file, time, time);
    return file;
  }

  /** A file in the build folder. */
  put(name: string, bytes: Uint8Array): string {
    const file = join(this.folder, 'build', name);
    writeFileSync(file, bytes);
    return file;
  }

  /** What the script has left in its temporary folder. */
  get leavings(): readonly string[] {
    return readdirSync(join(this.folder, 'tmp'));
  }

  /** Starts the deploy script. */
  deploy(...args: readonly string[]): Deployment {
    return new Deployment(this, args);
  }

  /** The same by a line of a shell, in which `"$@"` stands for the script and its arguments, and with these variables. */
  deployBy(line: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Deployment {
    return new Deployment(this, args, line, env);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Deployment: one run of the deploy script. Disposing kills what still runs of it. */
export class Deployment implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Lines of progress. */
  readonly progress = new Waiters<string>();
  #stdout = '';
  readonly #closed: Promise<unknown[]>;
  /** In the environment of every process that the script starts. */
  readonly #mark = `DEPLOYMENT=${randomUUID()}`;

  constructor(
    { folder, owner }: Desk,
    args: readonly string[],
    line = 'exec "$@"',
    env: NodeJS.ProcessEnv = {},
  ) {
    const [name = '', value = ''] = this.#mark.split('=');
    const options = owner.sshOptions.flatMap((option) => ['--ssh-option', option]);
    const script = join(folder, 'deploy', 'deploy.sh');
    this.child = spawn('bash', ['-c', line, 'bash', script, ...options, ...args], {
      env: {
        PATH: process.env.PATH,
        LANG: 'en_US.UTF-8',
        TMPDIR: join(folder, 'tmp'),
        ...env,
        [name]: value,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.progress.add(line);
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#closed = once(this.child, 'close');
    // The script takes all that it has started with it.
    const abandon = () => this.child.kill('SIGKILL');
    process.once('exit', abandon);
    this.child.once('close', () => process.off('exit', abandon));
  }

  /** A line of progress, already told or still to come. */
  told(what: string, ms = 20_000): Promise<string> {
    return this.progress.expect(what, (line) => line.includes(what), ms);
  }

  /** Its end and the lines of its hosts. */
  async verdict(): Promise<Output & { readonly lines: readonly string[] }> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 60_000);
    const [code, signal] = (await this.#closed) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    const lines = this.#stdout.split('\n').filter(Boolean);
    return { code, signal, stdout: this.#stdout, stderr: this.progress.record.join('\n'), lines };
  }

  /** What still runs of it `ms` later, as soon as that is nothing. */
  leftovers(ms = 10_000): Promise<readonly Process[]> {
    return leftoversWith(this.#mark, ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    await this.#closed;
    const left = await this.leftovers();
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    if (left.length > 0) throw new Error(`left running: ${left.map((each) => each.command).join('\n')}`);
  }
}
