import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueBecause } from '../../image/proof.ts';

const PROOF = {
  schema: 1,
  hash: 'a',
  at: '2026-11-30T12:00:00Z',
  commit: '1234567',
  boots: 6,
  seconds: 900,
  passed: 20,
  numbers: {},
} as const;

test('nothing is booted for the inputs of the last green boot, unless that is asked for', () => {
  assert.equal(dueBecause(PROOF, 'a', false), undefined);
  assert.match(dueBecause(PROOF, 'a', true) ?? '', /asked/);
});

test('other inputs and a missing proof are reasons to boot', () => {
  assert.match(dueBecause(PROOF, 'b', false) ?? '', /differ/);
  assert.match(dueBecause(undefined, 'a', false) ?? '', /no boot/);
});
