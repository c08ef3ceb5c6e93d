import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFlags } from '../../scenario/image/flags.ts';

/** Any file that is there. */
const FILE = process.execPath;

test('without a word the whole story is told, with a few cuts at the end', () => {
  const flags = readFlags([], '/checkout');
  assert.ok(typeof flags !== 'string');
  assert.equal(flags.image, '/checkout/build/aivoice.img.zst');
  assert.deepEqual([flags.cuts, flags.onlyCuts, flags.seed, flags.memoryMb], [3, false, 1, 512]);
});

test('a number of cuts means that nothing else is wanted', () => {
  const flags = readFlags(['--cuts', '50', '--seed', '7'], '/checkout');
  assert.ok(typeof flags !== 'string');
  assert.deepEqual([flags.cuts, flags.onlyCuts, flags.seed], [50, true, 7]);
});

test('boards share cuts', () => {
  const flags = readFlags(['--cuts', '50', '--boards', '2'], '/checkout');
  assert.ok(typeof flags !== 'string');
  assert.equal(flags.boards, 2);
});

test('a wrong word is told', () => {
  for (const args of [
    ['--cuts', '0'],
    ['--cuts', 'x'],
    ['--memory', '1'],
    ['--nonsense'],
    ['word'],
    ['--boards', '2'],
    ['--cuts', '5', '--boards', '5'],
  ]) {
    assert.equal(typeof readFlags(args, '/checkout'), 'string', args.join(' '));
  }
});

test('an image, a release or a key that was named and is not there is told, and nothing is skipped', () => {
  for (const flag of ['--image', '--release', '--key'])
    assert.match(String(readFlags([flag, '/nonexistent'], '/checkout')), /there is no \/nonexistent/);
});

test('another image, release or board than the usual ones is no proof of what is checked out', () => {
  const isUsual = (args: readonly string[]) => {
    const flags = readFlags(args, '/checkout');
    assert.ok(typeof flags !== 'string', String(flags));
    return flags.isUsual;
  };
  assert.ok(isUsual([]) && isUsual(['--seed', '2']) && isUsual(['--key', FILE]));
  for (const args of [
    ['--image', FILE],
    ['--release', FILE],
    ['--memory', '512'],
  ])
    assert.ok(!isUsual(args), args.join(' '));
});
