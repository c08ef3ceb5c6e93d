import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chunker } from '../../../../../device/audio/microphone/chunker.ts';
import type { Listener } from '../../../../../device/audio/microphone/microphone.ts';

test('samples of any number become chunks of 20 ms, in order and each with the time of its last sample', () => {
  const chunker = new Chunker();
  const heard: { chunk: Int16Array; at: number }[] = [];
  const hear: Listener = (chunk, at) => void heard.push({ chunk, at });
  const all = Int16Array.from({ length: 1000 }, (_, n) => n);
  chunker.push(all.subarray(0, 100), 6.25, hear);
  assert.deepEqual(heard, []);
  chunker.push(all.subarray(100), 62.5, hear);
  assert.deepEqual(
    heard.map(({ at }) => at),
    [20, 40, 60],
  );
  assert.deepEqual(Int16Array.from(heard.flatMap(({ chunk }) => [...chunk])), all.subarray(0, 960));
});
