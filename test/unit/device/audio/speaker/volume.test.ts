import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gainOf, scale } from '../../../../../device/audio/speaker/volume.ts';

test('the volume goes from silence over -40 dB to the sound as it is, in even steps', () => {
  assert.equal(gainOf(0), 0);
  assert.equal(gainOf(100), 1);
  const dB = (volume: number) => Math.round(200 * Math.log10(gainOf(volume))) / 10;
  assert.deepEqual([1, 25, 50, 60, 75].map(dB), [-39.6, -30, -20, -16, -10]);
});

test('a volume that is none is the nearest, or silence', () => {
  assert.deepEqual([-5, 250, Number.NaN, Number.POSITIVE_INFINITY].map(gainOf), [0, 1, 0, 0]);
});

test('the loudest sample stays what it is at full volume, and saturates above it', () => {
  const pcm = Int16Array.of(32_767, -32_768, 0, 1);
  scale(pcm, 1, 1, 4);
  assert.deepEqual([...pcm], [32_767, -32_768, 0, 1]);
  scale(pcm, 2, 2, 4);
  assert.deepEqual([...pcm], [32_767, -32_768, 0, 2]);
});

test('a change goes over a ramp, and holds after it', () => {
  const pcm = new Int16Array(8).fill(1000);
  scale(pcm, 1, 0, 4);
  assert.deepEqual([...pcm], [1000, 750, 500, 250, 0, 0, 0, 0]);
});
