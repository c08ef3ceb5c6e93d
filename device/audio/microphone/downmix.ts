/** How often the channels are compared: 50 times a second. */
const WINDOWS = 50;
/** What is left after a window of how loud a channel once was: falls to a third in a second. */
const FADE = 0.98;
/** A channel joins at this part of the loudest one (-24 dB) and leaves at that one (-36 dB): no flutter between. */
const JOINS = 1 / 16;
const LEAVES = 1 / 64;

/**
 * Downmix: one channel out of several, the average of the first two that have sound.
 *
 * Cheap stereo microphones leave one channel dead, and an average with silence would halve what is heard. Of a microphone
 * array the later channels are often a loopback of the speaker, which must not be heard at all. Two are averaged where
 * there are two: that is 3 dB less noise.
 */
export class Downmix {
  readonly #channels: number;
  readonly #window: number;
  readonly #loud: Float64Array;
  readonly #peak: Float64Array;
  readonly #weight: Float64Array;
  readonly #step: Float64Array;
  readonly #live: boolean[];
  #left: number;

  constructor(rateHz: number, channels: number) {
    this.#channels = channels;
    this.#window = Math.round(rateHz / WINDOWS);
    this.#left = this.#window;
    this.#loud = new Float64Array(channels);
    this.#peak = new Float64Array(channels);
    this.#step = new Float64Array(channels);
    this.#live = Array.from({ length: channels }, () => false);
    this.#weight = Float64Array.from({ length: channels }, (_, n) => (n < 2 ? 1 / Math.min(2, channels) : 0));
  }

  /** Mixes interleaved frames into `mixed`, which holds one sample for each. */
  mix(frames: Int16Array, mixed: Float64Array): void {
    const channels = this.#channels;
    const peak = this.#peak;
    const weight = this.#weight;
    const step = this.#step;
    for (let frame = 0, at = 0; at < frames.length; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++, at++) {
        const sample = frames[at]!;
        const size = sample < 0 ? -sample : sample;
        if (size > peak[channel]!) peak[channel] = size;
        sum += sample * weight[channel]!;
        weight[channel]! += step[channel]!;
      }
      mixed[frame] = sum;
      if (--this.#left === 0) this.#compare();
    }
  }

  /** The end of a window: which channels count from now on. The weights go there within the next window, without a click. */
  #compare(): void {
    this.#left = this.#window;
    let loudest = 0;
    for (const [channel, peak] of this.#peak.entries()) {
      this.#loud[channel] = Math.max(peak, this.#loud[channel]! * FADE);
      loudest = Math.max(loudest, this.#loud[channel]!);
    }
    this.#peak.fill(0);
    if (loudest === 0) {
      this.#step.fill(0);
      return;
    }
    for (const [channel, loud] of this.#loud.entries()) {
      this.#live[channel] = loud >= loudest * (this.#live[channel] ? LEAVES : JOINS);
    }
    const first = this.#live.indexOf(true);
    const second = this.#live.indexOf(true, first + 1);
    const pair = second < 0 ? [first] : [first, second];
    this.#goTo(this.#loud.map((_, channel) => (pair.includes(channel) ? 1 / pair.length : 0)));
  }

  #goTo(target: Float64Array): void {
    for (const [channel, weight] of this.#weight.entries()) {
      this.#step[channel] = (target[channel]! - weight) / this.#window;
    }
  }
}
