import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matcherOf } from '../../../../servers/files/glob.ts';
import { listDir } from '../../../../servers/files/list-dir.ts';
import { openRoot } from '../../../../servers/files/root.ts';
import { english } from '../../../../servers/files/words-en.ts';
import { SharedFolder } from './shared-folder.ts';

const COSTLY = `${'{a,b}'.repeat(5)}${'*a'.repeat(115)}`;

function manyFiles(count: number): SharedFolder {
  return new SharedFolder(
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'a'.repeat(230)}${n}`, ''])),
  );
}

test('a costly pattern on a large folder gives way to pings, ends at its deadline and says it is partial', async (t) => {
  using folder = manyFiles(1200);
  // Each look at the clock is a millisecond: the deadline comes after 1,000 entries are read.
  let now = 0;
  let sinceTurn = 0;
  let longest = 0;
  t.mock.method(performance, 'now', () => {
    now += 1;
    sinceTurn += 1;
    if (now > 1100) longest = Math.max(longest, sinceTurn);
    return now;
  });
  let turning = true;
  const turn = () => {
    sinceTurn = 0;
    if (turning) setImmediate(turn);
  };
  turn();
  const { facts } = await folder.call('search_filename', { pattern: COSTLY });
  turning = false;
  assert.equal(facts.partial, true);
  assert.ok(Number(facts.searched) > 300 && Number(facts.searched) < 600, String(facts.searched));
  assert.ok(now > 1400 && longest <= 25, `${longest} entries between two turns of the loop`);
});

test('a name that costs too much to compare is neither a match nor a miss', () => {
  const path = Array.from({ length: 16 }, () => 'a'.repeat(255)).join('/');
  assert.equal(matcherOf(`${COSTLY}/x`)('a', path), undefined);
  assert.equal(matcherOf('*a'.repeat(128))('a'.repeat(240), 'a'), true);
  assert.equal(matcherOf('*a'.repeat(128))('a'.repeat(127), 'a'), false);
});

test('a pattern that grows eighteenfold in NFKC is refused', async () => {
  using folder = new SharedFolder();
  assert.equal(await folder.codeOf('search_filename', { pattern: '\ufdfa'.repeat(20) }), 'FILES_ARGUMENT');
});

test('a listing that is cancelled while a large folder is read stops reading', async (t) => {
  using folder = manyFiles(200);
  await using root = await openRoot(folder.path);
  const call = new AbortController();
  const { signal } = call;
  let looks = 0;
  t.mock.method(signal, 'throwIfAborted', () => {
    looks += 1;
    if (looks === 50) call.abort();
    if (signal.aborted) throw signal.reason;
  });
  await assert.rejects(listDir({ args: {}, root, words: english, signal }), { name: 'AbortError' });
  assert.equal(looks, 50);
});
