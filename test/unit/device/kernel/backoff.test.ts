import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, fullJitter } from '../../../../device/kernel/backoff.ts';

const NONE = () => 0.5;
const tries = [0, 1, 2, 3, 10, 1000, Number.MAX_SAFE_INTEGER];

test('delays double from the first to the last', () => {
  const policy = { firstMs: 1000, maxMs: 60_000, jitter: 0.2 };
  assert.deepEqual(
    tries.map((attempt) => backoff(policy, attempt, NONE)),
    [1000, 2000, 4000, 8000, 60_000, 60_000, 60_000],
  );
  assert.deepEqual([backoff(policy, 0, () => 0), backoff(policy, 9, () => 1)], [800, 72_000]);
});

test('full jitter lies between the first bound and the doubled one', () => {
  const policy = { firstMs: 1000, maxMs: 60_000 };
  assert.deepEqual(
    tries.map((attempt) => fullJitter(policy, attempt, () => 1)),
    [2000, 4000, 8000, 16_000, 60_000, 60_000, 60_000],
  );
  assert.deepEqual(
    tries.map((attempt) => fullJitter(policy, attempt, () => 0)),
    tries.map(() => 1000),
  );
});

test('no delay exceeds the last, also where the first is set above it', () => {
  assert.equal(
    fullJitter({ firstMs: 5000, maxMs: 1000 }, 3, () => 1),
    1000,
  );
  assert.equal(backoff({ firstMs: 5000, maxMs: 1000, jitter: 0 }, 3, NONE), 1000);
});
