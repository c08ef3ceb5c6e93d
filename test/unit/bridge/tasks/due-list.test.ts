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

test('a wait that is due already while the timer is armed is no negative time', async () => {
  class SlowClock extends FakeClock {
    readonly asked: number[] = [];
    override now(): number {
      return super.now() + this.asked.length * 40; // each timer so far has cost time
    }
    override timer(ms: number, wake: () => void): Disposable {
      this.asked.push(ms);
      return super.timer(ms, wake);
    }
  }
  const clock = new SlowClock();
  using list = new DueList(clock);
  const woken: string[] = [];
  list.add(10, () => {
    list.add(500, () => woken.push('far'));
    woken.push('near');
  });
  list.add(60, () => woken.push('soon'));
  await clock.advance(1000);
  assert.deepEqual(woken, ['near', 'soon', 'far']);
  assert.deepEqual(
    clock.asked.filter((ms) => ms < 0),
    [],
  );
});
