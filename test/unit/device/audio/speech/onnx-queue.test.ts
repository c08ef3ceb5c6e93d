import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnnxQueue } from '../../../../../device/audio/speech/onnx-queue.ts';

/** A queue whose work lasts until it is told to finish or to fail. */
function slow(limit: number) {
  const begun: number[] = [];
  const errors: unknown[] = [];
  let work = { resolve: () => {}, reject: (_: Error) => {} };
  const queue = new OnnxQueue<number>({
    limit,
    work(item) {
      begun.push(item);
      return new Promise<void>((resolve, reject) => {
        work = { resolve, reject };
      });
    },
    failed: (error) => errors.push(error),
  });
  const finish = () => {
    work.resolve();
    return settle();
  };
  const fail = () => {
    work.reject(new Error('broken'));
    return settle();
  };
  return { queue, begun, errors, finish, fail };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('items are worked on one at a time and in order', async () => {
  const { queue, begun, finish } = slow(8);
  for (const item of [1, 2, 3]) queue.push(item);
  assert.deepEqual(begun, [1]);
  await finish();
  assert.deepEqual(begun, [1, 2]);
  await finish();
  await finish();
  queue.push(4);
  assert.deepEqual(begun, [1, 2, 3, 4]);
  assert.equal(queue.dropped, 0);
});

test('work that is too slow loses the oldest items, and they are counted', async () => {
  const { queue, begun, finish } = slow(2);
  for (const item of [1, 2, 3, 4, 5]) queue.push(item);
  assert.equal(queue.waiting, 2);
  assert.equal(queue.dropped, 2);
  await finish();
  await finish();
  assert.deepEqual(begun, [1, 4, 5]);
});

test('while held the latest items wait, and what goes is not counted as lost', async () => {
  const { queue, begun, finish } = slow(2);
  queue.held = true;
  for (const item of [1, 2, 3]) queue.push(item);
  assert.deepEqual(begun, []);
  queue.held = false;
  await finish();
  assert.deepEqual(begun, [2, 3]);
  assert.equal(queue.dropped, 0);
});

test('held during work, the next item waits', async () => {
  const { queue, begun, finish } = slow(2);
  queue.push(1);
  queue.push(2);
  queue.held = true;
  await finish();
  assert.deepEqual(begun, [1]);
  queue.held = false;
  assert.deepEqual(begun, [1, 2]);
});

test('work that fails is told once, and nothing more is taken', async () => {
  const { queue, begun, errors, fail } = slow(2);
  queue.push(1);
  queue.push(2);
  await fail();
  queue.push(3);
  assert.deepEqual(begun, [1]);
  assert.equal(errors.length, 1);
});

test('disposing waits for the work under way, begins no more, and tells no failure of it', async () => {
  const { queue, begun, errors, fail } = slow(2);
  queue.push(1);
  queue.push(2);
  let gone = false;
  const closing = queue[Symbol.asyncDispose]().then(() => {
    gone = true;
  });
  await settle();
  assert.equal(gone, false);
  await fail();
  await closing;
  queue.push(3);
  assert.deepEqual(begun, [1]);
  assert.deepEqual(errors, []);
});
