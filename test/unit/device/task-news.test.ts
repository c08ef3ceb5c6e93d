import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStore } from '../../../bridge/tasks/store.ts';
import { Fault } from '../../../device/kernel/fault.ts';
import { createLog } from '../../../device/kernel/log.ts';
import { TaskNews } from '../../../device/task-news.ts';
import { FakeClock } from '../fake-clock.ts';

function begin({ announce = true, language = 'en' as 'ja' | 'en' } = {}) {
  const clock = new FakeClock();
  const store = new TaskStore(clock);
  const said: string[] = [];
  const fault: { code?: 'VOICE_BUSY' | 'VOICE_OFF' } = {};
  const news = new TaskNews({
    store,
    clock,
    log: createLog({ sink: () => {}, wall: () => clock.wall() }),
    settings: () => ({ announce, language }),
    say: async (text) => {
      if (fault.code) throw new Fault(fault.code, 'not now');
      said.push(text);
    },
  });
  const publish = () => {
    const task = store.begin({ tool: 'bake', owner: 'oven', cancel: () => {} });
    store.publish(task);
    return task;
  };
  return { clock, store, said, fault, news, publish };
}

const RESULT = Buffer.from('{}');

test('the room is told of a result that nobody has asked for, and of a failure', async () => {
  const { clock, store, said, publish } = begin();
  const [a, b, c, d] = [publish(), publish(), publish(), publish()];
  void store.wait(d, 5000);
  store.complete(a, RESULT);
  store.fail(b, '{}', 'burnt');
  store.cancel(c, 'enough');
  store.complete(d, RESULT);
  await clock.advance(1000);
  assert.deepEqual(said, [
    'The result of bake is ready (task t1). Tell me so in one sentence.',
    'bake has failed (task t2). Tell me so in one sentence.',
  ]);
});

test('a conversation is let finish, and what is asked for meanwhile is no news', async () => {
  const { clock, store, said, fault, publish } = begin({ language: 'ja' });
  fault.code = 'VOICE_BUSY';
  const [a, b] = [publish(), publish()];
  store.complete(a, RESULT);
  store.complete(b, RESULT);
  await clock.advance(4000);
  store.find(a.id);
  delete fault.code;
  await clock.advance(6000);
  assert.deepEqual(said, ['タスク t2（bake）の結果が出ました。一言で知らせてください。']);
});

test('a task that ends while another is told of has its moment to be asked for too', async () => {
  const { clock, store, said, fault, publish } = begin();
  fault.code = 'VOICE_BUSY';
  const [a, b] = [publish(), publish()];
  store.complete(a, RESULT);
  await clock.advance(5900);
  store.complete(b, RESULT);
  delete fault.code;
  await clock.advance(200);
  assert.equal(said.length, 1);
  store.find(b.id);
  await clock.advance(1000);
  assert.equal(said.length, 1, 'it was asked for within a second');
});

test('nothing is announced unless it is asked for, without a voice, or after the end', async () => {
  const off = begin({ announce: false });
  off.store.complete(off.publish(), RESULT);
  const mute = begin();
  mute.fault.code = 'VOICE_OFF';
  mute.store.complete(mute.publish(), RESULT);
  const over = begin();
  over.store.complete(over.publish(), RESULT);
  over.news[Symbol.dispose]();
  for (const { clock, said, store } of [off, mute, over]) {
    await clock.advance(60_000);
    assert.deepEqual(said, []);
    store[Symbol.dispose]();
    assert.equal(clock.armed, 0);
  }
});
