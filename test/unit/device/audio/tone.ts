/** Interleaved samples of a tone: `channels` says how loud it is on each, as a part of the whole. */
export function tone(
  hz: number,
  rateHz: number,
  seconds: number,
  channels: readonly number[],
  size = 32_000,
): Int16Array {
  const frames = Math.round(rateHz * seconds);
  const samples = new Int16Array(frames * channels.length);
  for (let frame = 0, at = 0; frame < frames; frame++) {
    const value = size * Math.sin((2 * Math.PI * hz * frame) / rateHz);
    for (const part of channels) samples[at++] = Math.round(value * part);
  }
  return samples;
}

/** How loud a frequency is in samples: the size of its sine (Goertzel, below a Hann window). */
export function sizeAt(hz: number, samples: Int16Array, rateHz: number): number {
  let [re, im, window] = [0, 0, 0];
  for (const [n, sample] of samples.entries()) {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / samples.length);
    re += sample * weight * Math.cos((2 * Math.PI * hz * n) / rateHz);
    im += sample * weight * Math.sin((2 * Math.PI * hz * n) / rateHz);
    window += weight;
  }
  return (2 * Math.hypot(re, im)) / window;
}

/** The loudest frequency between 500 and 1500 Hz, to 1 Hz. */
export function peakHz(samples: Int16Array, rateHz: number): number {
  const loudest = (from: number, to: number, step: number) => {
    const all = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, n) => from + n * step);
    return all.reduce((best, hz) =>
      sizeAt(hz, samples, rateHz) > sizeAt(best, samples, rateHz) ? hz : best,
    );
  };
  const near = loudest(500, 1500, 20);
  return loudest(near - 20, near + 20, 1);
}

/** The root of the mean square. */
export function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
