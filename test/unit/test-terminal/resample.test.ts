import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mixDown, resample, spread } from '../../terminal/sound-card/resample.ts';

const RATES = [
  [16_000, 48_000],
  [48_000, 16_000],
  [16_000, 44_100],
  [44_100, 48_000],
  [24_000, 48_000],
] as const;

describe('another rate', () => {
  for (const [from, to] of RATES) {
    it(`from ${from} to ${to} Hz keeps a tone, its place in time and its loudness`, () => {
      const made = resample(tone(1000, from), from, to);
      assert.equal(made.length, to / 10);
      const wanted = tone(1000, to);
      // Half a filter's length at both ends sees beyond the sound.
      const inner = [made, wanted].map((each) => each.subarray(to / 100, -to / 100)) as [
        Int16Array,
        Int16Array,
      ];
      const noise = power(inner[0].map((sample, at) => sample - (inner[1][at] as number)));
      assert.ok(10 * Math.log10(power(inner[1]) / noise) > 55);
    });
  }

  it('takes out what the lower rate cannot hold', () => {
    const inner = resample(tone(10_000, 48_000), 48_000, 16_000).subarray(160, -160);
    assert.ok(Math.sqrt(power(inner)) < 10);
  });

  it('does not overflow', () => {
    const square = Int16Array.from({ length: 1600 }, (_, at) => (at % 40 < 20 ? 32_767 : -32_768));
    const made = resample(square, 16_000, 48_000);
    assert.ok(made.every((sample, at) => at === 0 || Math.abs(sample - (made[at - 1] as number)) < 50_000));
  });

  it('of nothing is nothing', () => assert.equal(resample(new Int16Array(0), 16_000, 48_000).length, 0));
});

it('channels are spread and mixed', () => {
  assert.deepEqual([...spread(Int16Array.of(1, 2), 2)], [1, 1, 2, 2]);
  assert.deepEqual([...mixDown(Int16Array.of(10, 20, -30, -10), 2)], [15, -20]);
});

/** 100 ms. */
function tone(hz: number, rateHz: number): Int16Array {
  return Int16Array.from(
    { length: rateHz / 10 },
    (_, at) => 10_000 * Math.sin((2 * Math.PI * hz * at) / rateHz),
  );
}

function power(pcm: Int16Array): number {
  return pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;
}
