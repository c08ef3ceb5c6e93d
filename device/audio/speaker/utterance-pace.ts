import { RING_MS } from './player.ts';
import { PLAYED_HZ } from './speaker.ts';

const PER_MS = PLAYED_HZ / 1000;
const RING = RING_MS * PER_MS;
/** An underrun that we know of ourselves is told by the player as soon as it gets sound again. */
const TOLD_MS = 1000;

/**
 * Pace: where the card is, by our own clock. Nothing else tells: a pipe takes 200 kB whatever the card does. The clock
 * is set anew by what the player says: that the card is open, and that it ran dry.
 *
 * The card runs once its ring is full (or no more comes), and stands from when all that it was fed has been played until
 * its ring is full again. Counts are samples.
 */
export class Pace {
  /** Fed stretches that have not been played to their end, oldest first. */
  readonly #stretches: { samples: number; readonly isSound: boolean }[] = [];
  #fed = 0;
  #played = 0;
  #heard = 0;
  #open = false;
  #ending = false;
  /** While the card runs: the moment at which it began to play sample `played`. */
  #running: { at: number; readonly played: number } | undefined;
  #driedAt = Number.NEGATIVE_INFINITY;

  /** The card is open: assumed at first, perhaps, and then known. */
  opened(now: number): void {
    this.#open = true;
    if (this.#running) this.#running = { at: now, played: 0 };
    this.#run(now);
  }

  fed(samples: number, isSound: boolean, now: number): void {
    this.#advance(now);
    this.#fed += samples;
    const last = this.#stretches.at(-1);
    if (last?.isSound === isSound) last.samples += samples;
    else this.#stretches.push({ samples, isSound });
    this.#run(now);
  }

  /** No more will be fed: the card plays what it has, a full ring or not. */
  ending(now: number): void {
    this.#ending = true;
    this.#run(now);
  }

  /**
   * The player says that the card stood for `ms`. Believed only as far as a full ring: a card without a clock of its own
   * counts from when it started (seen: 698 ms for 100), and to wait for sound that is not there would be the next gap.
   */
  underrun(ms: number, now: number): void {
    const most = (RING - this.ahead(now)) / PER_MS;
    if (!this.#running || most <= 0 || now - this.#driedAt < TOLD_MS) return;
    this.#running.at += Math.min(ms, most);
  }

  /** Fed and not played. */
  ahead(now: number): number {
    this.#advance(now);
    return this.#fed - this.#played;
  }

  /** Of what was fed as sound: played. */
  heard(now: number): number {
    this.#advance(now);
    return this.#heard;
  }

  /** The card waits for a full ring. */
  standing(now: number): boolean {
    this.#advance(now);
    return this.#running === undefined;
  }

  #run(now: number): void {
    const isReady = this.#open && (this.#ending || this.#fed - this.#played >= RING);
    if (isReady && !this.#running) this.#running = { at: now, played: this.#played };
  }

  #advance(now: number): void {
    if (!this.#running) return;
    const reached = this.#running.played + Math.floor((now - this.#running.at) * PER_MS);
    const played = Math.min(Math.max(reached, this.#played), this.#fed);
    this.#pass(played - this.#played);
    this.#played = played;
    if (reached <= this.#fed || this.#ending) return;
    this.#running = undefined;
    this.#driedAt = now;
  }

  #pass(samples: number): void {
    for (let left = samples; left > 0; ) {
      const first = this.#stretches[0];
      if (!first) return;
      const passed = Math.min(left, first.samples);
      if (first.isSound) this.#heard += passed;
      first.samples -= passed;
      left -= passed;
      if (first.samples === 0) this.#stretches.shift();
    }
  }
}
