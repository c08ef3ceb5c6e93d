/** Sound in which each sample differs from its neighbours and none is 0: a loss or a repeat shows. 48 kHz. */
export class Ramp {
  #next = 1;

  ms(ms: number): Int16Array {
    return this.samples(Math.round(ms * 48));
  }

  samples(count: number): Int16Array {
    return Int16Array.from({ length: count }, () => {
      const sample = this.#next;
      this.#next = (this.#next % 30_000) + 1;
      return sample;
    });
  }
}

/** What stands in it of a ramp from its start: how many samples in order, and the gaps of silence between them in ms. */
export function readRamp(pcm: Iterable<number>): {
  readonly samples: number;
  readonly gapsMs: readonly number[];
} {
  const gapsMs: number[] = [];
  let want = 1;
  let samples = 0;
  let silent = 0;
  for (const sample of pcm) {
    if (sample === 0) {
      silent++;
      continue;
    }
    if (sample !== want) throw new Error(`sample ${samples} is ${sample}, not ${want}`);
    if (silent > 0 && samples > 0) gapsMs.push(silent / 48);
    silent = 0;
    want = (want % 30_000) + 1;
    samples++;
  }
  return { samples, gapsMs };
}
