import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createLog } from '../../../../device/kernel/log.ts';
import { readCondition, storagePlaces } from '../../../../device/storage/condition.ts';
import { Storage } from '../../../../device/storage/storage.ts';
import { FakeClock } from '../../fake-clock.ts';

const ERRORS = 'sys/fs/ext4/mmcblk0p4/errors_count';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'aivoice-storage-'));
  put('run/aivoice-boot/data', 'ok');
  put('run/aivoice-boot/device', 'mmcblk0p4');
  put(ERRORS, '0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, word: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${word}\n`);
}

test('a card that begins to answer with errors is a part that is not ready, with one line in the log', async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  let changes = 0;
  const log = createLog({ sink: (line) => lines.push(line), wall: () => clock.wall() });
  const storage = new Storage({ places: storagePlaces(root), clock, log, onChange: () => changes++ });
  const run = await storage.service().start(new AbortController().signal);
  const looks = () => [run.health().state, run.health().code, run.health().reason];
  assert.deepEqual(looks(), ['ready', undefined, 'no errors']);
  put(ERRORS, '2');
  await clock.advance(30_000);
  put(ERRORS, '7');
  await clock.advance(30_000);
  assert.deepEqual(looks(), ['degraded', 'DATA_ERRORS', '7 errors since it was checked']);
  assert.deepEqual([lines.length, changes], [1, 1]);
  await run[Symbol.asyncDispose]();
  put(ERRORS, '0');
  await clock.advance(3_600_000);
  assert.equal(changes, 1);
});

test('what the first moments of the boot found of the data is told', () => {
  for (const [word, code, reason] of [
    ['lost', 'DATA_NOT_KEPT', 'the data partition is lost'],
    ['missing', 'DATA_NOT_KEPT', 'there is no data partition'],
    ['partly', 'DATA_NOT_KEPT', 'a part of the data cannot be kept'],
    ['half a word', 'DATA_NOT_KEPT', 'nothing is known of the data partition'],
    ['skipped', 'DATA_SKIPPED', 'the data partition is left alone'],
  ] as const) {
    put('run/aivoice-boot/data', word);
    assert.deepEqual(readCondition(storagePlaces(root)), { code, reason });
  }
  put('run/aivoice-boot/data', 'repaired');
  assert.deepEqual(readCondition(storagePlaces(root)), { reason: 'mended at this boot' });
});

test('an image that does not name its data partition is not asked for errors', () => {
  rmSync(join(root, 'run/aivoice-boot/device'));
  put('sys/fs/ext4/errors_count', '3');
  assert.deepEqual(readCondition(storagePlaces(root)), { reason: 'no errors' });
});
