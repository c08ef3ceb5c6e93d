import { HIGH, LOW } from './tones-alphabet.ts';

const WINDOW_MS = 20;
const HOP_MS = 5;
/** So many windows in a row make a note: about 35 ms of it. */
const LEAST_WINDOWS = 4;
/** Quieter than this is silence (root of the mean square of 16-bit samples). */
const SILENCE = 8;
/** How much of a window's power its two tones have to hold, and each of them alone. */
const TOGETHER = 0.3;
const ALONE = 0.03;
/** How much stronger a tone has to be than the next of its row. */
const CLEAR = 2;

/** The symbols that sound in a recording, in order; one that a gap divides is one. */
export function listen(sound: Int16Array, rateHz: number): readonly number[] {
  const heard: number[] = [];
  let last: number | undefined;
  let windows = 0;
  for (const symbol of symbolsOf(sound, rateHz)) {
    windows = symbol === last ? windows + 1 : 1;
    last = symbol;
    if (symbol !== undefined && windows === LEAST_WINDOWS && heard.at(-1) !== symbol) heard.push(symbol);
  }
  return heard;
}

function* symbolsOf(sound: Int16Array, rateHz: number): Generator<number | undefined> {
  const size = Math.round((WINDOW_MS * rateHz) / 1000);
  const hop = (HOP_MS * rateHz) / 1000;
  const hann = Float64Array.from(
    { length: size },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size),
  );
  const window = new Float64Array(size);
  for (let start = 0; start + size <= sound.length; start += hop) {
    const from = Math.round(start);
    if (from + size > sound.length) return;
    let power = 0;
    for (let at = 0; at < size; at++) {
      window[at] = sound[from + at]! * hann[at]!;
      power += window[at]! ** 2;
    }
    // A Hann window keeps three eighths of the power.
    yield power / size < (3 / 8) * SILENCE ** 2 ? undefined : symbolIn(window, power, rateHz);
  }
}

function symbolIn(window: Float64Array, power: number, rateHz: number): number | undefined {
  const low = strongest(LOW, window, rateHz);
  const high = strongest(HIGH, window, rateHz);
  // Of a pure tone, |X(f)|² is two thirds of half the window's length times its power, windowed.
  const whole = (power * window.length) / 3;
  const shares = [low.power / whole, high.power / whole] as const;
  if (shares[0] + shares[1] < TOGETHER || Math.min(...shares) < ALONE) return undefined;
  if (low.power < CLEAR * low.next || high.power < CLEAR * high.next) return undefined;
  return LOW.length * low.index + high.index;
}

function strongest(tones: readonly number[], window: Float64Array, rateHz: number) {
  const powers = tones.map((tone) => goertzel(window, tone / rateHz));
  const [power, next] = powers.toSorted((a, b) => b - a) as [number, number];
  return { index: powers.indexOf(power), power, next };
}

/** The squared magnitude of one frequency in a window; `turns` a sample. */
function goertzel(window: Float64Array, turns: number): number {
  const twice = 2 * Math.cos(2 * Math.PI * turns);
  let [one, two] = [0, 0];
  for (let at = 0; at < window.length; at++) [one, two] = [window[at]! + twice * one - two, one];
  return one * one + two * two - twice * one * two;
}
