import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ControlServer } from '../../../../device/console/control.ts';
import type { ControlHandlers } from '../../../../device/console/request.ts';
import { systemClock } from '../../../../device/kernel/clock.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { createLog } from '../../../../device/kernel/log.ts';

const log = createLog({ wall: () => 0, sink: () => {} });

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-two-'));
  const path = join(folder, 'control.sock');
  const appliance = () =>
    new ControlServer({ path, clock: systemClock, log, handlers: {} as ControlHandlers });
  return { folder, path, appliance, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** What a dead appliance leaves: a socket file behind which nobody listens. */
async function leaveStale(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}.dead`, resolve));
  renameSync(`${path}.dead`, path);
  await new Promise((resolve) => server.close(resolve));
  assert.ok(existsSync(path));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

for (const stale of [false, true]) {
  test(`of appliances that start at one instant ${stale ? 'after a crash ' : ''}one goes on and the others are told`, async () => {
    for (let round = 0; round < 10; round++) {
      using here = place();
      if (stale) await leaveStale(here.path);
      const starts = await Promise.allSettled([1, 2, 3].map(() => here.appliance().start()));
      const runs = starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value);
      const faults = starts.filter((start) => start.status === 'rejected').map(({ reason }) => reason);
      assert.equal(runs.length, 1);
      assert.ok(faults.every((fault) => fault instanceof Fault && fault.code === 'ALREADY_RUNNING'));
      assert.ok(await answers(here.path), 'the end of the others has not taken the place of the one');
      assert.deepEqual(readdirSync(here.folder), ['control.sock']);
      await runs[0]![Symbol.asyncDispose]();
      assert.deepEqual(readdirSync(here.folder), []);
    }
  });
}

test('a run whose place another took ends without taking it away from that one', async () => {
  using here = place();
  const first = await here.appliance().start();
  rmSync(here.path);
  const second = await here.appliance().start();
  await first.probe!();
  assert.equal((await first.ended).asked, false);
  await first[Symbol.asyncDispose]();
  assert.ok(await answers(here.path));
  await second[Symbol.asyncDispose]();
});
