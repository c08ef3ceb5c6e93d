/** What a volume of 1 is below 100, in dB: even steps to the ear, and quiet enough for a room at night. */
const RANGE_DB = 40;

/** The factor of a volume, 0 to 100: 0 is silence, then -40 dB to 0 dB in even steps. What lies outside is the nearest. */
export function gainOf(volume: number): number {
  const level = Number.isFinite(volume) ? Math.min(Math.max(volume, 0), 100) : 0;
  return level === 0 ? 0 : 10 ** ((-RANGE_DB * (1 - level / 100)) / 20);
}

/** Scales `pcm` in place, from one factor to the other over the first `ramp` samples, so that a change does not click. */
export function scale(pcm: Int16Array, from: number, to: number, ramp: number): void {
  if (from === 1 && to === 1) return;
  for (let n = 0; n < pcm.length; n++) {
    const gain = n < ramp ? from + ((to - from) * n) / ramp : to;
    pcm[n] = Math.max(-32_768, Math.min(Math.round((pcm[n] as number) * gain), 32_767));
  }
}
