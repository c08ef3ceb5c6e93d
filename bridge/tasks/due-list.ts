import type { Clock } from '#kernel/clock.ts';

/**
 * Many short waits on one timer. Most are over long before they are due, so a wait that ends leaves the timer as it is:
 * arming and clearing one for each call would cost more than all else that a task needs.
 */
export class DueList implements Disposable {
  readonly #clock: Clock;
  readonly #waits = new Map<() => void, number>();
  #timer: Disposable | undefined;
  #timerAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `wake` once after `ms`, unless it is deleted before. */
  add(ms: number, wake: () => void): void {
    const at = this.#clock.now() + ms;
    this.#waits.set(wake, at);
    if (at < this.#timerAt) this.#arm(at);
  }

  delete(wake: () => void): void {
    this.#waits.delete(wake);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#waits.clear();
  }

  #arm(at: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timerAt = at;
    this.#timer = this.#clock.timer(Math.max(0, at - this.#clock.now()), () => this.#expire());
  }

  #expire(): void {
    this.#timerAt = Infinity;
    const now = this.#clock.now();
    let next = Infinity;
    for (const [wake, at] of [...this.#waits]) {
      if (at > now) {
        next = Math.min(next, at);
        continue;
      }
      this.#waits.delete(wake);
      wake();
    }
    if (next < this.#timerAt) this.#arm(next);
  }
}
