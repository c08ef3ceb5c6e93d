import type { Clock } from '#kernel/clock.ts';
import { askStatus, canAsk } from './control-socket.ts';
import { ailment, type Status } from './health.ts';
import { Pace } from './pace.ts';

/** How exact it is where an answer takes no time. */
const LOOK_MS = 200;

/**
 * Measures from outside how long the appliance is silent: from the last answer of the old release to the first of the new
 * one that says it is well. It asks the control socket itself, since a process for each look would be too slow.
 */
export class Silence implements AsyncDisposable {
  readonly #runtime: string;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  #lastOld: number | undefined;
  #firstNew: number | undefined;

  constructor(runtime: string, wanted: { version: string; before: Status | undefined }, clock: Clock) {
    this.#runtime = runtime;
    this.#clock = clock;
    this.#looking = canAsk(runtime) ? this.#look(wanted) : Promise.resolve();
  }

  /** `null` where there was nothing to measure. */
  get ms(): number | null {
    if (this.#lastOld === undefined || this.#firstNew === undefined) return null;
    return Math.round(this.#firstNew - this.#lastOld);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  async #look({ version, before }: { version: string; before: Status | undefined }): Promise<void> {
    const { signal } = this.#stop;
    const pace = new Pace(this.#clock, LOOK_MS);
    while (!signal.aborted) {
      const status = await askStatus(this.#runtime, this.#clock);
      if (status && status.version !== version) this.#lastOld = this.#clock.now();
      if (status?.version === version && ailment(status, version, before) === undefined) {
        this.#firstNew = this.#clock.now();
        return;
      }
      await pace.pause(signal);
    }
  }
}
