import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DueList } from '../../../../bridge/tasks/due-list.ts';
import { FakeClock } from '../../fake-clock.ts';

test('waits end in their time on one timer, however they begin and whichever are deleted', async () => {
  const clock = new FakeClock();
  using list = new DueList(clock);
  const woken: string[] = [];
  const wake = (name: string) => () => woken.push(`${name} ${clock.now()}`);
  const deleted = wake('deleted');
  list.add(300, wake('late'));
  list.add(100, wake('early'));
  list.add(200, deleted);
  assert.equal(clock.armed, 1);
  list.delete(deleted);
  await clock.advance(100);
  list.add(0, () => list.add(50, wake('nested')));
  await clock.advance(1000);
  assert.deepEqual(woken, ['early 100', 'nested 150', 'late 300']);
  assert.equal(clock.armed, 0);
  list.add(100, wake('never'));
  list[Symbol.dispose]();
  assert.equal(clock.armed, 0);
});
