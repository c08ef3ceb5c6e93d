import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFlags } from '../../scenario/image/flags.ts';

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
