import { join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import { runProgram } from '../program.ts';
import type { Places } from '../store/places.ts';
import { askStatus, canAsk } from './control-socket.ts';
import { isStatus, type Status } from './health.ts';

/** A tool as `aivoice tools --json` shows it. */
export interface Tool {
  readonly name: string;
  readonly server: string;
}

/** A running appliance, asked through the command line of a release. `undefined` means that no answer came. */
export interface ApplianceLine {
  status(release: string): Promise<Status | undefined>;
  /** The same without the command line where that is possible: for looking again and again. */
  glance(release: string): Promise<Status | undefined>;
  tools(release: string): Promise<readonly Tool[] | undefined>;
  /** What a tool answers, as text. */
  call(release: string, tool: string, args: object): Promise<string | undefined>;
}

const ASK_MS = 20_000;
const CALL_MS = 40_000;

export class CommandLine implements ApplianceLine {
  readonly #env: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #runtime: string;

  /** `places` tells which appliance: that of the unit, or one whose folders are elsewhere. */
  constructor(
    places: Pick<Places, 'root' | 'runtime'>,
    clock: Clock,
    own: Readonly<Record<string, string>> = {},
  ) {
    this.#clock = clock;
    this.#runtime = places.runtime;
    this.#env = {
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      RUNTIME_DIRECTORY: places.runtime,
      // A release in place is never written to, and its cache belongs to the user of the service.
      NODE_DISABLE_COMPILE_CACHE: '1',
      ...(places.root === '/' ? {} : { AIVOICE_ROOT: places.root }),
      ...own,
    };
  }

  async status(release: string): Promise<Status | undefined> {
    const value = await this.#json(release, ['status', '--json'], [0, 1]);
    return isStatus(value) ? value : undefined;
  }

  glance(release: string): Promise<Status | undefined> {
    return canAsk(this.#runtime) ? askStatus(this.#runtime, this.#clock) : this.status(release);
  }

  async tools(release: string): Promise<readonly Tool[] | undefined> {
    const value = (await this.#json(release, ['tools', '--json'], [0])) as { tools?: unknown } | undefined;
    return Array.isArray(value?.tools) ? (value.tools as Tool[]) : undefined;
  }

  async call(release: string, tool: string, args: object): Promise<string | undefined> {
    const { code, stdout } = await this.#run(release, ['call', tool, JSON.stringify(args)], CALL_MS);
    return code === 0 ? stdout : undefined;
  }

  async #json(release: string, args: readonly string[], good: readonly number[]): Promise<unknown> {
    const { code, stdout } = await this.#run(release, args, ASK_MS);
    if (code === null || !good.includes(code)) return undefined;
    try {
      return JSON.parse(stdout);
    } catch {
      return undefined;
    }
  }

  #run(release: string, args: readonly string[], ms: number) {
    const file = join(release, 'bin', 'aivoice');
    return runProgram({ file, args, env: this.#env, ms, clock: this.#clock });
  }
}
