import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Downmix } from '../../../../../device/audio/microphone/downmix.ts';
import { loudness, tone } from '../tone.ts';

const RATE = 16_000;

/** How loud it is after the first moments, as a part of the tone on a channel. */
function mixed(channels: readonly number[]): number {
  const frames = tone(500, RATE, 0.5, channels, 10_000);
  const mono = new Float64Array(frames.length / channels.length);
  new Downmix(RATE, channels.length).mix(frames, mono);
  return loudness(Int16Array.from(mono.subarray(1000))) / (10_000 / Math.SQRT2);
}

test('the average of the first two channels that have sound', () => {
  for (const [channels, expected] of [
    [[1, 1], 1],
    [[1, 0.5], 0.75],
    [[1, 0], 1],
    [[0, 1], 1],
    [[0, 0, 1, 1, 1], 1],
    [[1, 0.0005], 1],
    [[1, 0.5, 3], 0.75],
    [[0.001, 0.001], 0.001],
  ] as const) {
    const found = mixed(channels);
    assert.ok(Math.abs(found - expected) < expected * 0.05, `${channels.join(' ')}: ${found}`);
  }
});

test('silence stays silence', () => {
  assert.equal(mixed([0, 0]), 0);
});

test('a channel that falls dead goes without a click', () => {
  const steady = Int16Array.from({ length: RATE * 12 }, (_, n) => (n % 2 === 1 && n > RATE ? 0 : 10_000));
  const mono = new Float64Array(steady.length / 2);
  new Downmix(RATE, 2).mix(steady, mono);
  assert.ok(Math.abs(mono.at(-1)! - 10_000) < 1, 'in the end the living one alone counts');
  const steps = mono
    .subarray(RATE / 2 + 2)
    .map((sample, n, all) => Math.abs(sample - (all[n - 1] ?? sample)));
  assert.ok(Math.max(...steps) < 40, `a step of ${Math.max(...steps)}`);
});
