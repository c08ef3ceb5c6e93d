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
    const deadAt = last().heardAt + timing.pingMs * timing.misses;
    if (now >= deadAt) {
      onSilent();
      return;
    }
    if (now >= this.#pingAt()) {
      this.#pingedAt = now;
      ping();
    }
    this.#next = this.#arm(Math.min(this.#pingAt(), deadAt));
  }

  #arm(at: number): Disposable {
    const { clock, timing } = this.#options;
    return clock.timer(at - clock.now(), () => {
      const isLate = clock.now() - at > timing.pingMs / 2;
      // A program that was held up has not read yet what came meanwhile: it looks again before it judges.
      if (isLate) this.#next = this.#arm(clock.now() + timing.pingMs / 4);
      else this.#beat();
    });
  }

  #pingAt(): number {
    const { timing, last } = this.#options;
    const { sentAt, heardAt } = last();
    return Math.max(Math.min(sentAt, heardAt), this.#pingedAt) + timing.pingMs;
  }
}
