import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Cut, cutsIn, Journal } from '../../image/journal.ts';

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

test('what is missing in a journal is what is made next, whatever the order of what is there', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-journal-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cuts.json');
  const journal = new Journal(file, SUBJECT);
  for (const number of [4, 1, 2]) journal.add({ ...CUT, number });
  const again = new Journal(file, SUBJECT);
  assert.deepEqual(again.missing(6), [3, 5, 6]);
  assert.deepEqual(
    again.cuts.map(({ number }) => number),
    [1, 2, 4],
  );
});
