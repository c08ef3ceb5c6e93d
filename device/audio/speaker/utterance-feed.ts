import { PERIOD_MS, type Player, RING_MS } from './player.ts';
import { PLAYED_HZ } from './speaker.ts';
import { Pace } from './utterance-pace.ts';
import { SoundQueue } from './utterance-queue.ts';
import { scale } from './volume.ts';

const PER_MS = PLAYED_HZ / 1000;
const PERIOD = PERIOD_MS * PER_MS;
const RING = RING_MS * PER_MS;
/** Fed ahead of the card: a change of volume is heard after so long, and a stop has no more than this to throw away. */
const AHEAD = 180 * PER_MS;
/** Fed again when it has sunk by so much: 25 wake-ups a second while sound plays. */
const STEP = 2 * PERIOD;
/**
 * Where sound comes late, silence is fed as soon as no more than this is left, so that the card never stands: a card
 * that ran dry clicks, and starts again only with a full ring, with the next 120 ms of words waiting in it. Less would
 * not outlast a busy event loop on a small machine; more would make a gap of what comes just in time.
 */
const LEAD = 60 * PER_MS;
const MIN_WAIT_MS = 5;

/** Feed: what an utterance has to play, and how far ahead of the card the player gets it, always in whole periods. */
export class Feed {
  readonly pace = new Pace();
  readonly #queue = new SoundQueue();
  readonly #gain: () => number;
  #lastGain: number;
  #soundFed = 0;

  constructor(gain: () => number) {
    this.#gain = gain;
    this.#lastGain = gain();
  }

  push(pcm: Int16Array): void {
    this.#queue.push(pcm);
  }

  clear(): void {
    this.#queue.clear();
  }

  get queuedMs(): number {
    return this.#queue.samples / PER_MS;
  }

  /** Of the sound that was fed: all of it. */
  get soundMs(): number {
    return this.#soundFed / PER_MS;
  }

  heardMs(now: number): number {
    return this.pace.heard(now) / PER_MS;
  }

  /** Fed and not played, silence included. */
  fedAheadMs(now: number): number {
    return this.pace.ahead(now) / PER_MS;
  }

  /** Gives the player what the card needs now. `isWhole`: no more comes. */
  step(player: Player, now: number, isWhole: boolean): void {
    if (!isWhole) this.#fillRing(player, now);
    const room = Math.min(AHEAD - this.pace.ahead(now), this.#queue.samples);
    const samples = room - (room % PERIOD);
    if (samples > 0) this.#sound(player, samples, now);
    const isRest = this.#queue.samples > 0 && this.#queue.samples < PERIOD;
    if (isWhole) {
      if (isRest && this.pace.ahead(now) < AHEAD) this.#sound(player, PERIOD, now);
      return;
    }
    if (this.#queue.samples >= PERIOD || this.pace.standing(now) || this.pace.ahead(now) >= LEAD) return;
    if (isRest) this.#sound(player, PERIOD, now);
    const missing = LEAD + PERIOD - this.pace.ahead(now);
    if (missing > 0) this.#silence(player, missing, now);
  }

  /** Ms until the next step; nothing where only more sound makes one. */
  waitMs(now: number, isWhole: boolean): number | undefined {
    const isMore = isWhole || this.#queue.samples >= PERIOD;
    if (!isMore && this.pace.standing(now)) return undefined;
    const least = isMore ? AHEAD - STEP : LEAD;
    return Math.max((this.pace.ahead(now) - least) / PER_MS, MIN_WAIT_MS);
  }

  /** A card that stands starts with a full ring: what is missing comes as silence in front, never between two words. */
  #fillRing(player: Player, now: number): void {
    if (this.#queue.samples === 0 || !this.pace.standing(now)) return;
    const missing = RING - this.pace.ahead(now) - this.#queue.samples;
    if (missing > 0) this.#silence(player, missing, now);
  }

  /** Writes so many samples of the queue; where it has fewer the rest is silence. */
  #sound(player: Player, samples: number, now: number): void {
    const pcm = new Int16Array(samples);
    const sound = this.#queue.fill(pcm);
    const gain = this.#gain();
    scale(pcm, this.#lastGain, gain, PERIOD);
    this.#lastGain = gain;
    player.write(new Uint8Array(pcm.buffer));
    this.#soundFed += sound;
    this.pace.fed(sound, true, now);
    if (sound < samples) this.pace.fed(samples - sound, false, now);
  }

  #silence(player: Player, atLeast: number, now: number): void {
    const samples = Math.ceil(atLeast / PERIOD) * PERIOD;
    player.write(new Uint8Array(samples * 2));
    this.pace.fed(samples, false, now);
  }
}
