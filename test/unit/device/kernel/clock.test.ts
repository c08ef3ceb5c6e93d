import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoOf, sleepOn, systemClock, wallOf, within } from '../../../../device/kernel/clock.ts';
import { FakeClock } from '../../fake-clock.ts';

test('the system clock tells durations and dates apart', () => {
  assert.ok(Math.abs(systemClock.wall() - Date.now()) < 1000);
  const before = systemClock.now();
  assert.ok(systemClock.now() >= before);
});

test('a sleep that is not wanted any more ends at once and leaves neither timer nor listener', async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const sleeping = sleepOn(clock, 1000, stop.signal);
  stop.abort();
  await sleeping;
  assert.equal(clock.armed, 0);
  await sleepOn(clock, 1000, stop.signal);
  assert.equal(clock.armed, 0, 'aborted before it began');
});

test('a wait gives what came in time, or nothing at its deadline', async () => {
  const clock = new FakeClock();
  assert.equal(await within(clock, 1000, Promise.resolve('done')), 'done');
  const late = within(clock, 1000, new Promise(() => {}));
  await clock.advance(1000);
  assert.equal(await late, undefined);
  await assert.rejects(within(clock, 1000, Promise.reject(new Error('no'))), /no/);
  assert.equal(clock.armed, 0);
});

test('work that fails after its deadline is not an unhandled rejection', async () => {
  const clock = new FakeClock();
  let fail: (error: Error) => void = () => {};
  const work = new Promise((_, reject) => {
    fail = reject;
  });
  const waiting = within(clock, 10, work);
  await clock.advance(10);
  assert.equal(await waiting, undefined);
  fail(new Error('too late'));
  await clock.settle();
});

test('a wall time is written in UTC and read back', () => {
  const wall = Date.UTC(2026, 10, 30, 0, 30);
  assert.equal(isoOf(wall), '2026-11-30T00:30:00.000Z');
  assert.equal(wallOf(isoOf(wall)), wall);
  assert.equal(wallOf('soon'), Number.NaN);
});
