import { Downmix } from './downmix.ts';
import { type LowPass, lowPass } from './low-pass.ts';
import { HEARD_HZ } from './microphone.ts';

/** What a card records: 16 bit, little endian, interleaved. */
export interface CardFormat {
  readonly rateHz: number;
  readonly channels: number;
}

/** More rows than this would cost more memory than an odd rate is worth; 11.025 kHz, the worst of the usual ones, has 640. */
const MAX_ROWS = 640;
/** Below, there is no speech left; above, a period is no longer small. */
const MIN_HZ = 8000;
const MAX_HZ = 192_000;
/** Two bytes of little endian are a sample as they lie in memory (every machine that we run on is little endian). */
const BYTES = 2;

/** True where `Resampler` can make 16 kHz of this rate: 8 to 192 kHz, in a ratio of small numbers. */
export function isConvertible(rateHz: number): boolean {
  const isUsual = Number.isInteger(rateHz) && rateHz >= MIN_HZ && rateHz <= MAX_HZ;
  return isUsual && HEARD_HZ / divisor(rateHz, HEARD_HZ) <= MAX_ROWS;
}

/**
 * Resampler: a stream of what a card records becomes 16 kHz mono. Continuous across pieces of any size, also odd ones: what
 * comes out does not depend on how the bytes were cut. Loudness stays; what would be too loud for 16 bit is held at their
 * limit. Late by half the filter (2.2 ms at 48 kHz). Throws a RangeError for a rate that is not convertible.
 */
export class Resampler {
  readonly #frameBytes: number;
  readonly #downmix: Downmix | undefined;
  readonly #filter: LowPass | undefined;
  readonly #up: number;
  readonly #down: number;
  /** Bytes of a frame that has not come whole. */
  #rest = Buffer.alloc(0);
  /** Mono samples of the source that the filter still needs, oldest first. */
  #source: Float64Array = new Float64Array(0);
  /** Where the next sample lies: before `#source[#next]`, by `#row` parts of `#up`. */
  #next = 0;
  #row = 0;

  constructor({ rateHz, channels }: CardFormat) {
    if (!isConvertible(rateHz)) throw new RangeError(`${rateHz} Hz cannot be converted`);
    const common = divisor(rateHz, HEARD_HZ);
    this.#up = HEARD_HZ / common;
    this.#down = rateHz / common;
    this.#frameBytes = channels * BYTES;
    this.#downmix = channels === 1 ? undefined : new Downmix(rateHz, channels);
    this.#filter = rateHz === HEARD_HZ ? undefined : lowPass(rateHz, HEARD_HZ, this.#up);
    // The filter begins in the silence before the first sample.
    if (this.#filter) this.#source = new Float64Array(this.#filter.taps / 2 - 1);
  }

  /** Takes what the recorder wrote, and gives what is heard by it: a new array, empty while too little has come. */
  push(bytes: Uint8Array): Int16Array {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % this.#frameBytes);
    this.#rest = Buffer.from(all.subarray(whole));
    // A copy (which the slice of a Buffer is not) begins at an even address, as an Int16Array has to.
    const frames = new Int16Array(Uint8Array.from(all.subarray(0, whole)).buffer);
    if (!(this.#filter || this.#downmix)) return frames;
    const mono = new Float64Array(whole / this.#frameBytes);
    if (this.#downmix) this.#downmix.mix(frames, mono);
    else mono.set(frames);
    return this.#filter ? this.#convert(mono, this.#filter) : toInt16(mono);
  }

  #convert(mono: Float64Array, { rows, taps }: LowPass): Int16Array {
    const source = new Float64Array(this.#source.length + mono.length);
    source.set(this.#source);
    source.set(mono, this.#source.length);
    const room = Math.max(0, Math.ceil(((source.length - this.#next) * this.#up) / this.#down));
    const made = new Float64Array(room);
    let count = 0;
    let next = this.#next;
    let row = this.#row;
    for (; next + taps <= source.length; count++) {
      const weights = rows[row]!;
      // Two sums at a time: the processor adds to one while the other is still on its way.
      let even = 0;
      let odd = 0;
      for (let tap = 0; tap < taps; tap += 2) {
        even += source[next + tap]! * weights[tap]!;
        odd += source[next + tap + 1]! * weights[tap + 1]!;
      }
      made[count] = even + odd;
      row += this.#down;
      next += Math.floor(row / this.#up);
      row %= this.#up;
    }
    const gone = Math.min(next, source.length);
    this.#source = source.slice(gone);
    this.#next = next - gone;
    this.#row = row;
    return toInt16(made.subarray(0, count));
  }
}

function toInt16(samples: Float64Array): Int16Array {
  return Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
