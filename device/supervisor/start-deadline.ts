import { MAX_START_MS, type Service } from '#kernel/service.ts';

/**
 * StartDeadline: how long a start may take, in ms. After one that was given up the next has twice the time, up to
 * `MAX_START_MS`: on a board that has too much to do at once, equal tries would all be given up shortly before their end
 * (measured: three servers on an emulated board beside other load, two minutes without one ready).
 */
export class StartDeadline {
  readonly #firstMs: number;
  #ms: number;

  constructor({ startMs }: Pick<Service, 'startMs'>) {
    this.#firstMs = startMs;
    this.#ms = startMs;
  }

  get ms(): number {
    return this.#ms;
  }

  /** A start was given up. */
  missed(): void {
    this.#ms = Math.max(this.#ms, Math.min(this.#ms * 2, MAX_START_MS));
  }

  /** A run settled, or a person asked for a start: the next one has the first time again. */
  reset(): void {
    this.#ms = this.#firstMs;
  }
}
