import type { Clock } from '#kernel/clock.ts';
import type { LinkTiming } from './timing.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly timing: LinkTiming;
  /** When the last frame left, and when the last good one came (Clock.now). */
  readonly last: () => { readonly sentAt: number; readonly heardAt: number };
  readonly ping: () => void;
  /** Nothing came for `misses` times `pingMs`. */
  readonly onSilent: () => void;
}

/**
 * Heartbeat: a PING after each `pingMs` in which one of the two said nothing. Both sides need it: the terminal too takes
 * a silent line for a dead host (terminal link 1).
 */
export class Heartbeat implements Disposable {
  readonly #options: HeartbeatOptions;
  #pingedAt = Number.NEGATIVE_INFINITY;
  /** PINGs since a frame last came. */
  #unanswered = 0;
  #next: Disposable;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#next = this.#arm(this.#pingAt());
  }

  [Symbol.dispose](): void {
    this.#next[Symbol.dispose]();
  }

  #beat(): void {
    const { clock, timing, last, ping, onSilent } = this.#options;
    const now = clock.now();
    const { heardAt } = last();
    if (heardAt >= this.#pingedAt) this.#unanswered = 0;
    // The time before the first unanswered PING is the third miss. Who was not asked is not silent: a program that was
    // held up asks first.
    if (this.#unanswered >= timing.misses - 1 && now >= this.#pingedAt + timing.pingMs) {
      onSilent();
      return;
    }
    if (now >= this.#pingAt()) {
      this.#pingedAt = now;
      this.#unanswered++;
      ping();
    }
    this.#next = this.#arm(this.#pingAt());
  }

  #arm(at: number): Disposable {
    const { clock } = this.#options;
    // A moment that has passed meanwhile: Node would write a line of its own into the log.
    return clock.timer(Math.max(0, at - clock.now()), () => this.#beat());
  }

  #pingAt(): number {
    const { timing, last } = this.#options;
    const { sentAt, heardAt } = last();
    return Math.max(Math.min(sentAt, heardAt), this.#pingedAt) + timing.pingMs;
  }
}
