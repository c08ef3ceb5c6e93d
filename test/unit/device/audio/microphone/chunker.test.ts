import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chunker } from '../../../../../device/audio/microphone/chunker.ts';

/** Chunks of 512 out of a counting ramp that comes in pieces of `size`, each at the time of its last sample. */
function cut(size: number, samples = 16_000) {
  const chunks: { first: number; last: number; at: number }[] = [];
  const chunker = new Chunker(512, (chunk, at) =>
    chunks.push({ first: chunk[0]!, last: chunk[511]!, at: Math.round(at) }),
  );
  const ramp = Int16Array.from({ length: samples }, (_, index) => index);
  for (let from = 0; from < samples; from += size) {
    const piece = ramp.slice(from, from + size);
    chunker.push(piece, (from + piece.length) / 16);
  }
  return chunks;
}

test('chunks and their times are the same whatever the pieces that they come in', () => {
  const usual = cut(320);
  assert.equal(usual.length, 31);
  assert.deepEqual(usual[1], { first: 512, last: 1023, at: 64 });
  for (const size of [1, 37, 512, 1280, 16_000]) assert.deepEqual(cut(size), usual);
});

test('a chunk is not overwritten by the next one, nor by who uses a piece again', () => {
  const chunks: Int16Array[] = [];
  const chunker = new Chunker(2, (chunk) => chunks.push(chunk));
  const piece = new Int16Array([1, 2]);
  chunker.push(piece, 0);
  piece.fill(9);
  chunker.push(piece, 0);
  assert.deepEqual(chunks, [new Int16Array([1, 2]), new Int16Array([9, 9])]);
});

test('a reset forgets the chunk that is not full', () => {
  const chunks: Int16Array[] = [];
  const chunker = new Chunker(2, (chunk) => chunks.push(chunk));
  chunker.push(new Int16Array([1]), 0);
  chunker.reset();
  chunker.push(new Int16Array([2, 3]), 0);
  assert.deepEqual(chunks, [new Int16Array([2, 3])]);
});
