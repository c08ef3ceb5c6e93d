import type { Clock } from '#kernel/clock.ts';

/** A server may say in a burst that its list has changed: it is asked once, so long after the first time. */
const WAIT_MS = 300;
/** One that says so all the time is asked so often in a row, then once a minute: each change costs a reconnect. */
const IN_A_ROW = 10;
const SELDOM_MS = 60_000;

/** When a server's list is read again after it said that it has changed. */
export class Relist implements Disposable {
  readonly #read: () => Promise<void>;
  readonly #clock: Clock;
  #state: 'quiet' | 'waiting' | 'reading' | 'changed while reading' | 'over' = 'quiet';
  #timer: Disposable | undefined;
  #count = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `read` never rejects. */
  constructor(read: () => Promise<void>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  changed(): void {
    if (this.#state === 'reading') this.#state = 'changed while reading';
    if (this.#state === 'quiet') this.#wait();
  }

  [Symbol.dispose](): void {
    this.#state = 'over';
    this.#timer?.[Symbol.dispose]();
  }

  #wait(): void {
    this.#state = 'waiting';
    const quietMs = this.#clock.now() - this.#readAt;
    if (quietMs >= SELDOM_MS) this.#count = 0;
    const ms = this.#count < IN_A_ROW ? WAIT_MS : SELDOM_MS - quietMs;
    this.#timer = this.#clock.timer(ms, () => void this.#readAgain());
  }

  /** One reading at a time: an older list must not arrive after a newer one. */
  async #readAgain(): Promise<void> {
    this.#state = 'reading';
    this.#count++;
    this.#readAt = this.#clock.now();
    await this.#read();
    this.#afterReading();
  }

  #afterReading(): void {
    if (this.#state === 'reading') this.#state = 'quiet';
    else if (this.#state === 'changed while reading') this.#wait();
  }
}
