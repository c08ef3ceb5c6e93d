import { type Note, tonesOf } from './tones-alphabet.ts';

/** Peak of each of the two tones: 10 dB below full scale together. */
const PEAK = 5200;
/** Rise and fall of a note, against clicks; ms. */
const RAMP_MS = 4;

/** Notes as sound, mono. */
export function play(notes: readonly Note[], rateHz: number): Int16Array {
  const parts = notes.map((note) => sound(note, rateHz));
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sound({ symbol, ms }: Note, rateHz: number): Int16Array {
  const [low, high] = tonesOf(symbol);
  const ramp = (RAMP_MS * rateHz) / 1000;
  const length = Math.round((ms * rateHz) / 1000);
  return Int16Array.from({ length }, (_, at) => {
    const turn = (2 * Math.PI * at) / rateHz;
    const loud = Math.min(1, at / ramp, (length - at) / ramp);
    return Math.round(PEAK * loud * (Math.sin(turn * low) + Math.sin(turn * high)));
  });
}
