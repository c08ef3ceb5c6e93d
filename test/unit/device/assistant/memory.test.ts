import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Memory } from '../../../../device/assistant/memory.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { FakeClock } from '../../fake-clock.ts';

test('a switch with a loose contact does not wear out the card: what waits to be written is written once', async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const log = createLog({ sink: (line) => lines.push(line), wall: () => clock.wall() });
  // Nothing can be kept there, so that each write says so.
  const memory = await Memory.open('/nowhere', { volume: 60, muted: false }, clock, log);
  for (let n = 0; n < 500; n++) memory.keep({ muted: n % 2 === 0 });
  await memory[Symbol.asyncDispose]();
  assert.equal(lines.length, 1);
});

test('what has been told is remembered beside volume and switch, and is nothing where it is not there yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-memory-'));
  const clock = new FakeClock();
  const log = createLog({ sink: () => {}, wall: () => clock.wall() });
  const life = () => Memory.open(folder, { volume: 60, muted: false }, clock, log);
  const first = await life();
  first.keep({ volume: 20, muted: true });
  await first[Symbol.asyncDispose]();
  const second = await life();
  assert.deepEqual(second.now, { volume: 20, muted: true });
  second.keep({ undone: '1.3.0 2026-11-29T23:00:00.000Z' });
  await second[Symbol.asyncDispose]();
  const third = await life();
  assert.deepEqual(third.now, { volume: 20, muted: true, undone: '1.3.0 2026-11-29T23:00:00.000Z' });
  rmSync(folder, { recursive: true });
});
