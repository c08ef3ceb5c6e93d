import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterDeath, CLEAN, isFinal, type Row, slowRetry } from '../../../../device/supervisor/restart.ts';
import { POLICY } from './fake-service.ts';

const none = () => 0.5;

/** The rows after deaths at these times: of starts that failed, of runs that served (`r`), or that settled (`s`). */
function rows(deaths: readonly string[], random = none): Row[] {
  let row = CLEAN;
  return deaths.map((word) => {
    const settled = word.startsWith('s');
    const served = settled || word.startsWith('r');
    row = afterDeath(POLICY, row, { at: Number(word.replace(/[rs]/, '')), served, settled }, random);
    return row;
  });
}

const delays = (deaths: readonly string[]) => rows(deaths).map((row) => row.delayMs);

test('delays after deaths', () => {
  const table: [name: string, deaths: string[], expected: number[]][] = [
    ['double from the first', ['0', '1000', '2000'], [500, 1000, 2000]],
    ['are none after a settled run', ['s0'], [0]],
    [
      'are none the first time after a run that served, then double',
      ['r0', 'r1', 'r2', 'r3'],
      [0, 500, 1000, 2000],
    ],
    ['are not spared twice in a row of failed starts', ['0', 'r1', 'r2'], [500, 1000, 2000]],
    ['begin anew after a settled run', ['0', '1000', 's60000', '61000', '62000'], [500, 1000, 0, 500, 1000]],
    ['end at the longest', ['0', '1', '2', '3', '4', '5'], [500, 1000, 2000, 4000, 8000, 60_000]],
    [
      'reach it without the window too',
      steps(9, 61_000),
      [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000],
    ],
  ];
  for (const [name, deaths, expected] of table) assert.deepEqual(delays(deaths), expected, name);
});

test('more deaths in the window than allowed mean failing, and only a settled run ends that', () => {
  const found = rows(['0', '1', '2', '3', '4', '5', '300000', 's900000']).map((row) => row.failing);
  assert.deepEqual(found, [false, false, false, false, false, true, true, false]);
});

test('runs that settle and die all the same fail by the window', () => {
  const found = rows(['s0', 's10001', 's20002', 's30003', 's40004', 's50005']);
  assert.deepEqual(
    found.map((row) => row.failing),
    [false, false, false, false, false, true],
  );
  assert.equal(found.at(-1)!.delayMs, 60_000);
});

test('jitter stays within a fifth and never makes a delay shorter than the one before', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let round = 0; round < 50; round++) {
    const found = rows(steps(12, 61_000), random).map((row) => row.delayMs);
    found.forEach((delay, n) => {
      const plain = Math.min(500 * 2 ** n, 60_000);
      assert.ok(delay >= plain * 0.8 && delay <= plain * 1.2, `${delay} for ${plain}`);
      assert.ok(n === 0 || delay >= found[n - 1]!, `${found}`);
    });
  }
  assert.ok(slowRetry(POLICY, () => 0) === 48_000 && slowRetry(POLICY, () => 1) === 72_000);
});

test('faults of settings are final, faults of the world are not', () => {
  assert.ok(isFinal('CONFIG_INVALID') && isFinal('REMOTE_REFUSED') && isFinal('ALREADY_RUNNING'));
  assert.ok(!isFinal('SERVER_NOT_FOUND') && !isFinal('REMOTE_DOWN') && !isFinal('KEY_REFUSED'));
});

/** `count` deaths, one every `gap` ms. */
function steps(count: number, gap: number): string[] {
  return Array.from({ length: count }, (_, n) => String(n * gap));
}
