import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../device/kernel/clock.ts';
import { Heartbeat } from '../../../../device/terminal/heartbeat.ts';
import { TIMING } from '../../../../device/terminal/timing.ts';
import { FakeClock } from '../../fake-clock.ts';

test('a beat whose moment passes while it is reckoned is due at once, and asks for no time before now', async () => {
  const clock = new FakeClock();
  const waits: number[] = [];
  let heldUpMs = 0;
  const slow: Clock = {
    now: () => clock.now() + heldUpMs++, // each look at the clock takes its time
    wall: () => clock.wall(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timer(ms, wake) {
      waits.push(ms);
      return clock.timer(ms, wake);
    },
  };
  const at = clock.now() - TIMING.pingMs;
  const last = () => ({ sentAt: at, heardAt: at });
  let pings = 0;
  using _beat = new Heartbeat({ clock: slow, timing: TIMING, last, ping: () => pings++, onSilent: () => {} });
  await clock.advance(0);
  assert.equal(pings, 1);
  assert.ok(
    waits.every((ms) => ms >= 0),
    `waits of ${waits.join(', ')} ms`,
  );
});
