import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventQueue, MUTE } from '../../terminal/event-queue.ts';
import { FakeClock } from '../fake-clock.ts';

const WAKE = { type: 3, payload: { word: 'hey', score: 1 } };
const SWITCH = { type: MUTE, payload: { on: true, source: 'hw' } };

interface Sent {
  readonly type: number;
  readonly seq: number;
  readonly again: boolean;
}

/** A queue that runs, and what it has sent. */
function queueOn(clock: FakeClock) {
  const sent: Sent[] = [];
  const queue: EventQueue = new EventQueue({
    clock,
    ackMs: 100,
    tries: 4,
    send: ({ type }, seq, again) => sent.push({ type, seq, again }),
    onGivenUp: () => queue.pause(),
    onGone: () => {},
  });
  queue.run();
  return { queue, sent };
}

test('an event that was tried in vain is kept, and goes first and under its old number when the link is back', async () => {
  const clock = new FakeClock();
  const { queue, sent } = queueOn(clock);
  queue.add(WAKE);
  queue.add(SWITCH);
  await clock.advance(5000);
  assert.equal(sent.length, 4);
  queue.run();
  assert.deepEqual(sent[4], { type: 3, seq: 1, again: true });
  queue.acknowledged(1);
  assert.deepEqual(sent[5], { type: MUTE, seq: 2, again: false });
  queue.acknowledged(2);
  assert.equal(queue.length, 0);
  assert.equal(clock.armed, 0);
});

test('nothing goes under the number of an event that was dropped for its age', async () => {
  const clock = new FakeClock();
  const { queue, sent } = queueOn(clock);
  queue.add(WAKE);
  await clock.advance(20_000);
  queue.run(); // nobody wants a word of then
  assert.equal(queue.length, 0);
  queue.pause();
  queue.add(SWITCH);
  queue.run();
  assert.deepEqual(sent.at(-1), { type: MUTE, seq: 2, again: false });
  queue.acknowledged(2);
  assert.equal(clock.armed, 0);
});
