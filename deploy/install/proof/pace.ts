import type { Clock } from '#kernel/clock.ts';

/** What looking may take of the time: a small board that starts has other things to do, and is late for each of them. */
const SHARE = 1 / 5;

/**
 * A pace for looking again and again: so long a pause after each look that all of them together take a fifth of the time,
 * and `leastMs` at least.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #leastMs: number;
  #since: number;

  constructor(clock: Clock, leastMs: number) {
    this.#clock = clock;
    this.#leastMs = leastMs;
    this.#since = clock.now();
  }

  /** The pause after a look that began when the last pause, or this pace, did end. */
  async pause(signal?: AbortSignal): Promise<void> {
    const took = this.#clock.now() - this.#since;
    await this.#clock.sleep(Math.max(this.#leastMs, took * (1 / SHARE - 1)), signal);
    this.#since = this.#clock.now();
  }
}
