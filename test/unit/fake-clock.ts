import { type Clock, sleepOn } from '../../device/kernel/clock.ts';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * FakeClock: time that moves only when a test says so.
 *
 *     const clock = new FakeClock();
 *     const waiting = clock.sleep(1000);
 *     await clock.advance(999); // not yet
 *     await clock.advance(1); // now
 */
export class FakeClock implements Clock {
  /** Armed timers, in the order in which they were armed: equal deadlines fire in that order. */
  readonly #timers = new Set<Timer>();
  #now = 0;
  #wall: number;

  /** `wall` is the date at `now() === 0`, in ms since 1970. */
  constructor(wall: number = Date.UTC(2026, 10, 30)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#wall + this.#now;
  }

  timer(ms: number, wake: () => void): Disposable {
    const timer = { at: this.#now + Math.max(0, ms), wake };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  /** Moves time by `ms`: due timers fire in order, each with all that it causes settled before the next one. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let timer = this.#next(until); timer; timer = this.#next(until)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.wake();
      await settle();
    }
    this.#now = until;
  }

  /** Lets everything that is already due happen, without moving time. */
  settle(): Promise<void> {
    return settle();
  }

  /** Moves the date alone, as a time server does. */
  shiftWall(ms: number): void {
    this.#wall += ms;
  }

  /** Armed timers: 0 at the end of a test says that nothing was left behind. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Time in ms until the next timer is due; `undefined` when none is armed. */
  get untilNext(): number | undefined {
    const next = this.#next(Number.POSITIVE_INFINITY);
    return next && next.at - this.#now;
  }

  #next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= until && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Microtasks and ticks run dry before an immediate; the second round is for streams that hand over one turn later. */
async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}
