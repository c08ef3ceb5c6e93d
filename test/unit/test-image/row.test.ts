import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cut } from '../../image/journal.ts';
import { shortfalls } from '../../image/row.ts';

const CUT: Cut = {
  number: 1,
  instant: 0.5,
  from: '0.1.0',
  to: '0.1.1',
  during: 'staging',
  came: '0.1.0',
  fault: null,
  bootMs: 60_000,
};

/** So many cuts, each with what is told of it. */
function row(length: number, told: (number: number) => Partial<Cut> = () => ({})): readonly Cut[] {
  return Array.from({ length }, (_, index) => ({ ...CUT, number: index + 1, ...told(index + 1) }));
}

test('a row in which every cut came back lacks nothing', () => {
  assert.deepEqual(shortfalls(row(50), 50), []);
  assert.deepEqual(shortfalls(row(50), 3), [], 'cuts beyond those that were asked for do not count');
});

test('a cut that did not come back in an earlier run is not forgotten', () => {
  const cuts = row(50, (number) => (number === 7 ? { fault: 'data have changed' } : {}));
  assert.deepEqual(shortfalls(cuts, 50), ['cut 7: data have changed']);
});

test('cuts that were not made are told', () => {
  assert.deepEqual(shortfalls(row(49), 50), ['1 of 50 were not made']);
});

test('a long row in which no update was ever under way shows nothing', () => {
  const idle = () => ({ during: 'idle' });
  assert.match(shortfalls(row(10, idle), 10).join(), /no update was at work/);
  assert.deepEqual(shortfalls(row(3, idle), 3), [], 'three may all be early');
});

test('a long row in which no update ever arrived shows nothing', () => {
  const late = (came: string) => (number: number) => (number > 7 ? { instant: 1.05, came } : {});
  assert.match(shortfalls(row(10, late('0.1.0')), 10).join(), /had arrived/);
  assert.deepEqual(shortfalls(row(10, late('0.1.1')), 10), []);
});
