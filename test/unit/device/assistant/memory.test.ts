import assert from 'node:assert/strict';
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
