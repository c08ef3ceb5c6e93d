import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogRing } from '../../../../device/console/log-ring.ts';

const line = (n: number, service = 'files') => JSON.stringify({ service, event: 'stderr', n });

test('the ring keeps the newest lines and gives the last of them, oldest first', () => {
  const ring = new LogRing(3);
  for (const n of [1, 2, 3, 4]) ring.push(line(n));
  assert.deepEqual(ring.tail(10), [line(2), line(3), line(4)]);
  assert.deepEqual(ring.tail(1), [line(4)]);
  assert.deepEqual(ring.tail(0), []);
});

test('a name chooses the lines of that service alone', () => {
  const ring = new LogRing();
  ring.push(line(1));
  ring.push(line(2, 'cloud'));
  ring.push('{"event":"about \\"service\\":\\"cloud\\""}');
  ring.push('no json "service":"cloud"');
  assert.deepEqual(ring.tail(10, 'cloud'), [line(2, 'cloud')]);
});

test('a follower gets what comes, together, and nothing after it was disposed', async () => {
  const ring = new LogRing();
  const { signal } = new AbortController();
  const follower = ring.follow('files');
  const waiting = follower.next(signal);
  ring.push(line(1, 'cloud'));
  ring.push(line(2));
  ring.push(line(3));
  assert.deepEqual(await waiting, [line(2), line(3)]);
  follower[Symbol.dispose]();
  ring.push(line(4));
  assert.deepEqual(await follower.next(AbortSignal.abort()), []);
});

test('a follower that does not keep up loses the oldest lines and is told how many', async () => {
  const ring = new LogRing();
  using follower = ring.follow();
  for (let n = 0; n < 600; n++) ring.push(line(n));
  const lines = await follower.next(new AbortController().signal);
  assert.deepEqual(
    [lines[0], lines[1], lines.length],
    ['{"event":"lines_dropped","count":100}', line(100), 501],
  );
});

test('a follower that waits is let go by its signal', async () => {
  const gone = new AbortController();
  using follower = new LogRing().follow();
  const waiting = follower.next(gone.signal);
  gone.abort();
  assert.deepEqual(await waiting, []);
});
