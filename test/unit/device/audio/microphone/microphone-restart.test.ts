import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MICROPHONE_RESTART } from '../../../../../device/audio/microphone/microphone-service.ts';
import { afterDeath, CLEAN, type Row } from '../../../../../device/supervisor/restart.ts';

test('a card that is held for a minute is tried 12 times at most, and had again within 10 s, whatever the jitter', () => {
  for (const random of [0, 0.5, 1 - Number.EPSILON]) {
    let row: Row = afterDeath(
      MICROPHONE_RESTART,
      CLEAN,
      { at: 0, served: true, settled: true },
      () => random,
    );
    let at = row.delayMs;
    let tries = 0;
    let longest = 0;
    for (; at < 60_000; tries++) {
      row = afterDeath(MICROPHONE_RESTART, row, { at, served: false, settled: false }, () => random);
      at += row.delayMs;
      longest = Math.max(longest, row.delayMs);
      assert.equal(row.failing, false);
    }
    assert.ok(tries <= 12, `${tries} tries`);
    assert.ok(longest <= 9700, `${longest} ms`);
  }
});
