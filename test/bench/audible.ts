const PLAYED_HZ = 48_000;
/** A sample louder than this is sound and no rounding. */
const AUDIBLE = 100;

/** Ms from the start of a recording of the speaker to its first sound; NaN where there is none. */
export function firstSoundMs(played: Int16Array): number {
  const at = played.findIndex((sample) => Math.abs(sample) > AUDIBLE);
  return at < 0 ? Number.NaN : (at * 1000) / PLAYED_HZ;
}

/** Ms to its last sound; 0 where there is none. */
export function lastSoundMs(played: Int16Array): number {
  const at = played.findLastIndex((sample) => Math.abs(sample) > AUDIBLE);
  return at < 0 ? 0 : (at * 1000) / PLAYED_HZ;
}
