import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpeechEdges } from '../../../../../device/audio/speech/speech-detector-edges.ts';

/** What is told of a row of probabilities, one each 32 ms, the first of them ending at 32. */
function told(probabilities: readonly number[], endMs = 96): string[] {
  const edges = new SpeechEdges({ endMs, windowMs: 32 });
  return probabilities.flatMap((probability, index) => {
    const edge = edges.push(probability, (index + 1) * 32);
    return edge ? [`${edge.what} ${edge.at}`] : [];
  });
}

test('speech starts where its first window began, and ends where its last one ended', () => {
  assert.deepEqual(told([0, 0.9, 0.9, 0.9, 0.9, 0, 0, 0]), ['started 32', 'ended 160']);
});

test('a click of two windows is no speech', () => {
  assert.deepEqual(told([0, 0.9, 0.9, 0, 0, 0, 0, 0, 0]), []);
});

test('what is likely enough to go on is not enough to begin', () => {
  assert.deepEqual(told([0.4, 0.49, 0.4, 0.49, 0.4]), []);
  assert.deepEqual(told([0.6, 0.4, 0.4, 0.4, 0.4, 0.1, 0.1, 0.1]), ['started 0', 'ended 160']);
});

test('a pause shorter than the silence that ends speech does not end it', () => {
  assert.deepEqual(told([0.9, 0.9, 0.9, 0, 0, 0.9, 0, 0, 0.9, 0, 0, 0]), ['started 0', 'ended 288']);
});

test('a pause is counted from the last window that was speech, not from the last one sure of it', () => {
  assert.deepEqual(told([0.9, 0.9, 0.9, 0.2, 0.36, 0.2, 0.2, 0.2]), ['started 0', 'ended 160']);
});

test('two utterances are two', () => {
  const row = [0.9, 0.9, 0.9, 0, 0, 0];
  assert.deepEqual(told([...row, ...row]), ['started 0', 'ended 96', 'started 192', 'ended 288']);
});

test('after a reset speech that went on is told as new, and its end is not told', () => {
  const edges = new SpeechEdges({ endMs: 96, windowMs: 32 });
  for (const at of [32, 64, 96]) edges.push(1, at);
  assert.equal(edges.speaking, true);
  edges.reset();
  assert.equal(edges.speaking, false);
  assert.equal(edges.push(0, 500), undefined);
});
