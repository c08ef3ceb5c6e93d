import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cut, cutsIn } from '../../image/journal.ts';

const SUBJECT = { seed: 3, image: 'a', release: 'b' };
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
const TEXT = JSON.stringify({ schema: 1, ...SUBJECT, cuts: [CUT] });

test('a journal goes on where it ended', () => {
  assert.deepEqual(cutsIn(TEXT, SUBJECT), [CUT]);
});

test('cuts of another seed, image or release do not count', () => {
  for (const other of [{ seed: 4 }, { image: 'c' }, { release: 'c' }]) {
    assert.deepEqual(cutsIn(TEXT, { ...SUBJECT, ...other }), []);
  }
});
