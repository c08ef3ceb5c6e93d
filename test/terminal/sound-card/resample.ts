/** Zero crossings of the sinc on each side: enough for 80 dB with the window below. */
const CROSSINGS = 24;
/** Of the lower Nyquist frequency, how much passes. */
const PASSED = 0.95;
const KAISER_BETA = 8;

/** Another rate, by a windowed sinc: what the new rate cannot hold is taken out, and nothing is shifted in time. */
export function resample(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return pcm;
  const common = greatestCommonDivisor(fromHz, toHz);
  const [up, down] = [toHz / common, fromHz / common];
  const filters = filtersFor(up, down);
  const out = new Int16Array(Math.round((pcm.length * up) / down));
  for (let at = 0; at < out.length; at++) {
    const filter = filters[(at * down) % up] as Float64Array;
    const first = Math.floor((at * down) / up) - (filter.length >> 1) + 1;
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] as number) * (pcm[first + tap] ?? 0);
    out[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return out;
}

/** One channel on each of several. */
export function spread(mono: Int16Array, channels: number): Int16Array {
  if (channels === 1) return mono;
  const frames = new Int16Array(mono.length * channels);
  for (let at = 0; at < frames.length; at++) frames[at] = mono[Math.floor(at / channels)] as number;
  return frames;
}

/** The mean of all channels. */
export function mixDown(frames: Int16Array, channels: number): Int16Array {
  if (channels === 1) return frames;
  const mono = new Int16Array(frames.length / channels);
  for (let at = 0; at < mono.length; at++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += frames[at * channels + channel] as number;
    mono[at] = Math.round(sum / channels);
  }
  return mono;
}

/** A filter for each of the `up` places that an output sample can have between two input samples. */
function filtersFor(up: number, down: number): readonly Float64Array[] {
  const cutoff = PASSED * Math.min(1, up / down);
  const reach = Math.ceil(CROSSINGS / cutoff);
  return Array.from({ length: up }, (_, phase) => {
    const filter = Float64Array.from({ length: 2 * reach }, (_, tap) => {
      const distance = tap - reach + 1 - phase / up;
      return cutoff * sinc(cutoff * distance) * kaiser(distance / reach);
    });
    const gain = filter.reduce((sum, tap) => sum + tap, 0);
    return filter.map((tap) => tap / gain);
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** The modified Bessel function of order zero, by its series. */
function bessel(x: number): number {
  let sum = 1;
  for (let term = 1, k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
