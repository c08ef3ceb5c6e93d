import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../../device/kernel/log.ts';
import { Notify } from '../../../../device/supervisor/notify.ts';
import { FakeClock } from '../../fake-clock.ts';

function open(options: { address?: string; watchdogUsec?: string }) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const log = createLog({ wall: () => clock.wall(), sink: (line) => lines.push(line) });
  return { lines, notify: new Notify({ ...options, pid: 1, path: '', clock, log }) };
}

test('where nobody listens nothing is said, not even to the log', async () => {
  const { notify, lines } = open({ watchdogUsec: '300000' });
  notify.ready();
  notify.alive('ready');
  await notify[Symbol.asyncDispose]();
  assert.deepEqual([notify.tickMs, lines.length], [1000, 0]);
});

test('where nothing can send, or the address is of another kind, the log says so once', async () => {
  for (const address of ['/run/systemd/notify', 'vsock:2:1234']) {
    const { notify, lines } = open({ address });
    notify.ready();
    notify.alive('ready');
    await notify[Symbol.asyncDispose]();
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /notify_unavailable/);
  }
});
