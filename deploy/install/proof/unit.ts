import type { Clock } from '#kernel/clock.ts';
import { type ProgramOutput, runProgram } from '../program.ts';

/** What systemd says of the appliance's unit. */
export interface UnitLook {
  /** Automatic restarts since it was last started by hand (NRestarts). */
  readonly restarts: number;
  /** `active`, `activating`, `failed` …; empty where systemd gives no answer. */
  readonly state: string;
}

/** The unit of the appliance. Nothing here throws: what systemd cannot do shows in the health of the appliance. */
export interface Unit {
  /** Stops what runs and starts what `current` now leads to; returns when it is ready, has failed, or takes too long. */
  restart(): Promise<void>;
  look(): Promise<UnitLook>;
  /** Starts the watch over the release in its first minutes, anew if there is one. False where that is not possible. */
  startWatch(): Promise<boolean>;
  /** The last lines of its log, 20 at most. */
  log(): Promise<readonly string[]>;
}

export interface SystemdOptions {
  /** Default `/usr/bin/systemctl`. */
  readonly systemctl?: string | undefined;
  /** Default `/usr/bin/journalctl`. */
  readonly journalctl?: string | undefined;
  readonly clock: Clock;
}

const SERVICE = 'aivoice.service';
const WATCH = 'aivoice-watch.service';
/** A start has 120 s (TimeoutStartSec of the unit), the stop before it 10 s. */
const RESTART_MS = 200_000;
const ASK_MS = 10_000;
const LOG_LINES = 20;
const MAX_LINE = 500;

export class SystemdUnit implements Unit {
  readonly #options: SystemdOptions;

  constructor(options: SystemdOptions) {
    this.#options = options;
  }

  async restart(): Promise<void> {
    // A release that died too often is in the state `failed`, from which not every version of systemd restarts.
    await this.#systemctl(['reset-failed', SERVICE], ASK_MS);
    await this.#systemctl(['restart', SERVICE], RESTART_MS);
  }

  async look(): Promise<UnitLook> {
    const { stdout } = await this.#systemctl(
      ['show', SERVICE, '-p', 'NRestarts', '-p', 'ActiveState'],
      ASK_MS,
    );
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1] ?? '';
    return { restarts: Number(value('NRestarts')) || 0, state: value('ActiveState') };
  }

  async startWatch(): Promise<boolean> {
    const { code } = await this.#systemctl(['restart', '--no-block', WATCH], ASK_MS);
    return code === 0;
  }

  async log(): Promise<readonly string[]> {
    const args = ['-u', SERVICE, '-n', String(LOG_LINES), '-o', 'cat', '--no-pager'];
    const { stdout } = await this.#run(this.#options.journalctl ?? '/usr/bin/journalctl', args, ASK_MS);
    const lines = stdout.split('\n').filter(Boolean);
    return lines.slice(-LOG_LINES).map((line) => line.slice(0, MAX_LINE));
  }

  #systemctl(args: readonly string[], ms: number): Promise<ProgramOutput> {
    return this.#run(this.#options.systemctl ?? '/usr/bin/systemctl', args, ms);
  }

  #run(file: string, args: readonly string[], ms: number): Promise<ProgramOutput> {
    const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };
    return runProgram({ file, args, env, ms, clock: this.#options.clock });
  }
}
