import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createLog } from '../../../../device/kernel/log.ts';
import { Network } from '../../../../device/network/network.ts';
import { readTrouble } from '../../../../device/network/trouble.ts';
import { FakeClock } from '../../fake-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aivoice-network-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a wrong password of the Wi-Fi is a part that is not ready, with one line in the log, until the network is there', async () => {
  const file = join(folder, 'trouble');
  const clock = new FakeClock();
  const lines: string[] = [];
  let changes = 0;
  const log = createLog({ sink: (line) => lines.push(line), wall: () => clock.wall() });
  const network = new Network({ file, clock, log, onChange: () => changes++ });
  const run = await network.service().start(new AbortController().signal);
  assert.equal(run.health().state, 'ready');
  writeFileSync(file, 'NET_AUTH\n');
  await clock.advance(60_000);
  const { state, code } = run.health();
  assert.deepEqual([state, code, lines.length, changes], ['degraded', 'NET_AUTH', 1, 1]);
  rmSync(file);
  await clock.advance(15_000);
  assert.deepEqual([run.health().state, lines.length, changes], ['ready', 1, 2]);
  await run[Symbol.asyncDispose]();
  await run[Symbol.asyncDispose]();
  assert.deepEqual(await run.ended, { asked: true, reason: 'stopped' });
  writeFileSync(file, 'NET_AUTH\n');
  await clock.advance(60_000);
  assert.equal(changes, 2);
});

test('what is no code that the system may tell says nothing', () => {
  const file = join(folder, 'trouble');
  for (const text of ['', 'KEY_REFUSED\n', 'NET_AUTH NET_AUTH', `${'x'.repeat(1000)}\n`]) {
    writeFileSync(file, text);
    assert.equal(readTrouble(file), undefined, text);
  }
  writeFileSync(file, 'NET_NO_ADDRESS\n');
  assert.equal(readTrouble(file), 'NET_NO_ADDRESS');
  symlinkSync(file, join(folder, 'link'));
  mkdirSync(join(folder, 'folder'));
  for (const name of ['link', 'folder', 'absent'])
    assert.equal(readTrouble(join(folder, name)), undefined, name);
});
