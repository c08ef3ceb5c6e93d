import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stuff, unstuff } from '../../../../device/terminal/cobs.ts';
import { dice } from '../../../dice.ts';

const roll = dice(41);

test('whatever is stuffed holds no zero, grows by one byte in 254 at most, and comes back', () => {
  for (let length = 0; length <= 520; length++) {
    for (const zeros of [2, 20, 1000]) {
      const plain = Uint8Array.from({ length }, () => (roll(zeros) === 0 ? 0 : 1 + roll(255)));
      const stuffed = stuff(plain);
      assert.ok(!stuffed.includes(0));
      assert.ok(stuffed.length <= length + 1 + Math.floor(length / 254));
      assert.deepEqual(unstuff(stuffed), plain, `length ${length}`);
    }
  }
});

test('no bytes at all, and a group that reaches past the end, are refused', () => {
  for (const bytes of [[], [0], [2], [5, 1, 2, 3], [1, 0], [3, 1, 0]]) {
    assert.equal(unstuff(Uint8Array.from(bytes)), undefined);
  }
});

test('random bytes are refused or come back shorter, and never throw', () => {
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from({ length: roll(40) }, () => roll(256));
    const plain = unstuff(bytes);
    assert.ok(plain === undefined || plain.length < bytes.length);
  }
});
