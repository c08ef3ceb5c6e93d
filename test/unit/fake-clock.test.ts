import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.ts';

test('a sleep ends at its time and not before', async () => {
  const clock = new FakeClock();
  let awake = false;
  const sleeping = clock.sleep(1000).then(() => {
    awake = true;
  });
  await clock.advance(999);
  assert.equal(awake, false);
  await clock.advance(1);
  assert.equal(awake, true);
  await sleeping;
  assert.equal(clock.armed, 0);
});

test('timers fire in the order of their deadlines, and those armed on the way fire in the same advance', async () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  clock.timer(20, () => fired.push(`b ${clock.now()}`));
  clock.timer(10, () => {
    fired.push(`a ${clock.now()}`);
    clock.timer(5, () => fired.push(`a2 ${clock.now()}`));
  });
  await clock.advance(30);
  assert.deepEqual(fired, ['a 10', 'a2 15', 'b 20']);
  assert.equal(clock.now(), 30);
});

test('a chain of sleeps runs through in one advance', async () => {
  const clock = new FakeClock();
  let rounds = 0;
  const chain = async () => {
    for (; rounds < 5; rounds++) await clock.sleep(100);
  };
  const done = chain();
  await clock.advance(500);
  await done;
  assert.equal(rounds, 5);
});

test('a disposed timer never fires and an aborted sleep ends at once', async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const sleeping = clock.sleep(1000, stop.signal);
  clock.timer(10, () => assert.fail('fired'))[Symbol.dispose]();
  stop.abort();
  await sleeping;
  await clock.advance(50);
  assert.equal(clock.untilNext, undefined);
});
