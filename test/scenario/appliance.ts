import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, QUICK_MS } from '../../device/cli/client.ts';
import type { PartLine, StatusDocument } from '../../device/supervisor/status.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { Waiters } from '../cloud/waiters.ts';
import { COMMAND } from './aivoice.ts';
import { Home, type ServerEntry } from './home.ts';
import { descendants, leftoversWith, type Process, processesWith } from './processes.ts';
import { type Exit, type Output, runProgram, startProgram } from './program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const FIXTURES = join(ROOT, 'test', 'fixtures');

/** How `npm start` and a release run the appliance: a young generation of 1 MB halves, so that little garbage waits in it … */
const AS_SHIPPED = ['--max-semi-space-size=1'];
/** … and few arenas of malloc that give back what they do not need. */
const FRUGAL = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** An appliance asked to stop has this long; the product promises 3 s with any server. */
const STOP_MS = 6000;

export interface ApplianceOptions {
  /** Default `run`. */
  readonly verb?: 'run' | 'bridge';
  /** What follows the verb. */
  readonly args?: readonly string[];
  /** Its endpoint is put into the settings (`run`) or into MCP_ENDPOINT (`bridge`). */
  readonly cloud?: Pick<Cloud, 'endpoint'> & Partial<Pick<Cloud, 'giveUp'>>;
  /** `mcp_settings.json`; without it the appliance runs its built-in servers. */
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  /** `appliance.toml`, without the endpoint's address. */
  readonly settings?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders that hold something already; who made them removes them. Default: fresh ones. */
  readonly home?: Home;
}

/** One line of the appliance's log: the JSON of it where it is JSON. */
export interface LogLine {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The tools of our own that stand behind those of the servers, where a call can become a task. */
export const TASK_TOOLS = ['async_list_pending_tasks', 'async_get_task_result', 'async_cancel_task'];

/** An entry of `mcpServers` for a program of `test/fixtures`, whose calls do not become tasks. */
export function fixture(name: string, ...args: string[]): ServerEntry {
  const command = name.endsWith('.py') ? 'python3' : process.execPath;
  return { command, args: [join(FIXTURES, name), ...args], async: 'off' };
}

/** Starts the real program, in a home of its own. Disposing stops it and looks for what it left behind. */
export function startAppliance(options: ApplianceOptions = {}): Appliance {
  if (!existsSync(COMMAND)) throw new Error(`${COMMAND} is missing: npm run bundle`);
  return new Appliance(options);
}

/** Appliance: the bundle as a process, known by its socket to the cloud, its command line, its log and /proc. */
export class Appliance implements AsyncDisposable {
  readonly home: Home;
  readonly #ownHome: Home | undefined;
  readonly pid: number;
  readonly #exited: Promise<Exit>;
  readonly stdout: string[] = [];
  readonly #log = new Waiters<LogLine>();
  readonly #env: Readonly<Record<string, string>>;
  #stopped = false;
  /** Somebody waits for its end, so that it is no surprise. */
  #awaited = false;
  /** It ended by itself, and how. */
  #lost: string | undefined;

  constructor(options: ApplianceOptions) {
    const { verb = 'run', args = [], cloud, servers, settings = '', env } = options;
    const home = options.home ?? new Home();
    this.home = home;
    this.#ownHome = options.home === undefined ? home : undefined;
    home.writeSettings(settings, verb === 'run' ? cloud?.endpoint : undefined);
    if (servers !== undefined) home.writeServers(servers);
    this.#env = { ...home.env, ...FRUGAL, ...env };
    const own = verb === 'bridge' && cloud !== undefined ? { MCP_ENDPOINT: cloud.endpoint } : {};
    const place = { cwd: home.work, env: { ...this.#env, ...own } };
    const { child, exited } = startProgram([...AS_SHIPPED, COMMAND, verb, ...args], place, {
      onStdout: (line) => this.stdout.push(line),
      onStderr: (line) => this.#log.add(readLine(line)),
    });
    this.pid = child.pid ?? 0;
    this.#exited = exited;
    void exited.then((exit) => this.#noticeEnd(exit, cloud));
    // A test that runs out of time never gets to its disposals; its appliance must not outlive it.
    const abandon = () => {
      child.kill('SIGKILL');
      this.#ownHome?.[Symbol.dispose]();
    };
    process.once('exit', abandon);
    void exited.finally(() => process.off('exit', abandon));
  }

  /** How it ends. Whoever asks expects that it does. */
  get exited(): Promise<Exit> {
    this.#awaited = true;
    return this.#exited;
  }

  /** The log so far. */
  get log(): readonly LogLine[] {
    return this.#log.record;
  }

  /** A line of the log, already written or still to come. */
  logged(what: string, matches: (line: LogLine) => boolean, ms = 10_000): Promise<LogLine> {
    return this.#log.expect(what, matches, ms);
  }

  /** Runs the command line beside the appliance, with the same settings and places. */
  cli(...args: string[]): Promise<Output> {
    return runProgram([COMMAND, ...args], { cwd: this.home.work, env: this.#env });
  }

  /** As the control socket tells it: a command line for each look would cost more than what is looked at. */
  async status(): Promise<StatusDocument> {
    const uid = process.getuid?.() ?? 0;
    const place = { variables: this.#env, cwd: this.home.work, execPath: process.execPath, uid };
    const { status, error } = await ask(place, { verb: 'status' }, { deadlineMs: QUICK_MS });
    if (error) throw new Error(`no status: ${error.code} ${error.message}`);
    return status as StatusDocument;
  }

  /** Asks for the status until it is as described. */
  async until(
    what: string,
    matches: (status: StatusDocument) => boolean,
    ms = 10_000,
  ): Promise<StatusDocument> {
    const late = new Error(`expected ${what} within ${ms} ms`);
    Error.captureStackTrace(late, this.until);
    const deadline = performance.now() + ms;
    let last: unknown;
    do {
      if (this.#lost !== undefined) {
        last = new Error(this.#lost);
        break;
      }
      try {
        const status = await this.status();
        if (matches(status)) return status;
        last = status;
      } catch (error) {
        last = error;
      }
      await sleep(50);
    } while (performance.now() < deadline);
    late.message += `, last: ${last instanceof Error ? last.message : JSON.stringify(last)}`;
    throw late;
  }

  /** One part of the status document, once it is as described. */
  async untilPart(name: string, matches: (part: PartLine) => boolean, ms = 10_000): Promise<PartLine> {
    const wanted = (part: PartLine) => part.name === name && matches(part);
    const status = await this.until(`${name} as described`, ({ parts }) => parts.some(wanted), ms);
    return status.parts.find(wanted) as PartLine;
  }

  /** Its children and theirs. */
  processes(): readonly Process[] {
    return descendants(this.pid);
  }

  /** The process below the appliance whose command line holds `text`. */
  process(text: string): Process {
    const found = this.processes().find(({ command }) => command.includes(text));
    if (found === undefined) throw new Error(`no process of the appliance has ${text} in its command line`);
    return found;
  }

  /** Asks it to stop, as systemd does, and waits for its end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit & { readonly ms: number }> {
    this.#stopped = true;
    const asked = performance.now();
    process.kill(this.pid, signal);
    const exit = await Promise.race([this.#exited, sleep(STOP_MS, undefined, { ref: false })]);
    if (exit === undefined) {
      process.kill(this.pid, 'SIGKILL');
      throw new Error(`the appliance did not stop within ${STOP_MS} ms after ${signal}`);
    }
    return { ...exit, ms: performance.now() - asked };
  }

  /** Every process that the appliance started and that still runs `ms` later, its own included. */
  leftovers(ms: number): Promise<readonly Process[]> {
    return leftoversWith(this.home.mark, ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _home = this.#ownHome;
    const running = processesWith(this.home.mark).some(({ pid }) => pid === this.pid);
    const exit = running && !this.#stopped ? await this.stop() : undefined;
    const left = await this.leftovers(1000);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    const leftLines = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    if (left.length > 0) throw new Error(`the appliance left processes behind:\n${leftLines}`);
    if (this.#lost !== undefined) throw new Error(this.#lost);
    // Asked before its program was loaded, a process ends as any other does.
    const isLoading = this.log.length === 0 && exit?.signal === 'SIGTERM';
    if (exit !== undefined && exit.code !== 0 && !isLoading) {
      throw new Error(`asked to stop, the appliance ended with ${exit.code ?? exit.signal}, expected 0`);
    }
  }

  /** Says at once what every wait for it would otherwise say late. A SIGKILL comes from a test. */
  #noticeEnd({ code, signal }: Exit, cloud: ApplianceOptions['cloud']): void {
    if (this.#stopped || this.#awaited || signal === 'SIGKILL') return;
    const log = this.log.slice(-5).map(({ text }) => text);
    this.#lost = [`the appliance ended by itself with ${code ?? signal}`, ...log].join('\n');
    this.#log.end(this.#lost);
    cloud?.giveUp?.(this.#lost);
  }
}

function readLine(text: string): LogLine {
  // Journald takes `<6>` before a line as its priority.
  const json = text.replace(/^<\d>/, '');
  try {
    return { text, fields: JSON.parse(json) };
  } catch {
    return { text, fields: {} };
  }
}
