const FRAME_MS = 20;
/** Softer than this is the room. */
const QUIET = 100;
/** Speech has pauses and stops between its vowels; noise and tones go on evenly (about 10 dB and 1 dB). */
const CONTRAST = 3;
/** A word lasts longer than a click. */
const SHORTEST_MS = 150;
/** Kept before and after, for soft consonants. */
const MARGIN_MS = 200;

/**
 * The part of a recording that may be speech; undefined where there is only silence, a click, a tone or a steady noise.
 * A grammar answers something for any sound (audio notes 5), so that what is none must not come so far.
 */
export function speechIn(pcm: Int16Array, rateHz: number): Int16Array | undefined {
  const size = (rateHz * FRAME_MS) / 1000;
  const levels = Array.from({ length: Math.floor(pcm.length / size) }, (_, at) =>
    level(pcm.subarray(at * size, (at + 1) * size)),
  );
  const first = levels.findIndex((each) => each > QUIET);
  const last = levels.findLastIndex((each) => each > QUIET);
  if ((last - first + 1) * FRAME_MS < SHORTEST_MS || first < 0) return undefined;
  const inside = levels.slice(first, last + 1).sort((one, other) => one - other);
  if (part(inside, 0.95) < CONTRAST * part(inside, 0.1)) return undefined;
  const margin = MARGIN_MS / FRAME_MS;
  return pcm.subarray(Math.max(0, first - margin) * size, (last + 1 + margin) * size);
}

/** Root of the mean square. */
function level(frame: Int16Array): number {
  return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
