import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStore } from '../../../../bridge/tasks/store.ts';
import { TASK_LIMITS, type Task } from '../../../../bridge/tasks/task.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { FakeClock } from '../../fake-clock.ts';

class Scene {
  readonly clock = new FakeClock();
  readonly store: TaskStore;
  readonly cancelled: string[] = [];
  readonly heard: string[] = [];

  constructor(limits: Partial<typeof TASK_LIMITS> = {}) {
    this.store = new TaskStore(this.clock, { ...TASK_LIMITS, ...limits });
    this.store.onChange(({ alias }, change) => this.heard.push(`${alias} ${change}`));
  }

  begin(tool = 'bake', owner = 'oven'): Task {
    return this.store.begin({ tool, owner, cancel: (reason) => this.cancelled.push(reason) });
  }

  published(tool = 'bake', owner = 'oven'): Task {
    const task = this.begin(tool, owner);
    this.store.publish(task);
    return task;
  }
}

const RESULT = Buffer.from('{"content":[]}');
const code = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
  return 'none';
};

test('a task is seen by nobody until it is published, and then has an id of 128 bits and a name to say', () => {
  const { store, ...scene } = new Scene();
  const quick = store.begin({ tool: 'a', owner: 'o', cancel: () => {} });
  assert.deepEqual([store.list(), quick.id], [[], '']);
  store.complete(quick, RESULT);
  assert.deepEqual(store.usage, { running: 0, finished: 0, bytes: 0 }, 'nothing of it is kept');
  const slow = store.begin({ tool: 'b', owner: 'o', cancel: () => {} });
  store.publish(slow);
  assert.match(slow.id, /^[\w-]{22}$/);
  assert.equal(slow.alias, 't1');
  store.publish(slow);
  assert.equal(slow.alias, 't1', 'published twice is published once');
  assert.equal(scene.clock.armed, 0);
});

test('a task is found by id, alias, address, handle and the JSON text of a handle', () => {
  const scene = new Scene();
  const { store } = scene;
  const task = scene.published();
  const handle = { taskId: task.id, status: 'working' };
  for (const name of [
    task.id,
    't1',
    ' T1 ',
    `task://${task.id}`,
    'task://t1',
    handle,
    JSON.stringify(handle),
    { structuredContent: handle, content: [] },
    { task: handle },
    { taskId: handle },
  ])
    assert.equal(store.find(name), task, JSON.stringify(name));
  for (const name of ['t2', 'nobody', '', null, 7, {}, [], { taskId: 3 }, '{', 'x'.repeat(9999)])
    assert.equal(
      code(() => store.find(name)),
      'TASK_UNKNOWN',
      JSON.stringify(name),
    );
});

test('more tasks than may run are refused at once, and a freed place is given again', () => {
  const scene = new Scene();
  const tasks = Array.from({ length: TASK_LIMITS.running }, () => scene.begin());
  const refused = Array.from({ length: 184 }, () => code(() => scene.begin()));
  assert.deepEqual(new Set(refused), new Set(['TASK_FULL']));
  scene.store.complete(tasks[3] as Task, RESULT);
  assert.equal(
    code(() => scene.begin()),
    'none',
  );
});

test('the first end of a task is its only one', () => {
  const scene = new Scene();
  const [a, b] = [scene.published(), scene.published()];
  assert.equal(scene.store.cancel(a, 'enough'), true);
  assert.equal(scene.store.complete(a, RESULT), false, 'a late result is dropped');
  assert.equal(scene.store.cancel(a, 'again'), false);
  assert.deepEqual([a.status, a.reason, a.outcome], ['cancelled', 'enough', undefined]);
  scene.store.complete(b, RESULT);
  assert.equal(scene.store.cancel(b, 'too late'), false);
  assert.deepEqual([b.status, String(b.outcome)], ['completed', String(RESULT)]);
  assert.deepEqual(scene.cancelled, ['enough']);
});

test('who waits for a task is woken by its end, by the deadline of five seconds, or by leaving', async () => {
  const scene = new Scene();
  const { store, clock } = scene;
  const task = scene.published();
  const woken: string[] = [];
  void store.wait(task, 60_000).then(() => woken.push('deadline'));
  const leaving = new AbortController();
  void store.wait(task, 5000, leaving.signal).then(() => woken.push('left'));
  leaving.abort();
  await clock.advance(4999);
  assert.deepEqual(woken, ['left']);
  await clock.advance(1);
  assert.deepEqual(woken, ['left', 'deadline']);
  void store.wait(task, 1000).then(() => woken.push('end'));
  store.complete(task, RESULT);
  await clock.settle();
  assert.deepEqual(woken, ['left', 'deadline', 'end']);
  await store.wait(task, 5000);
  await store.wait(task, NaN);
  store.consume(task);
  store[Symbol.dispose]();
  assert.equal(clock.armed, 0);
});

test('of 10,000 finished tasks the 200 that were asked for last are kept, and the others are told to be gone', () => {
  const scene = new Scene();
  const tasks: Task[] = [];
  for (let i = 0; i < 10_000; i++) {
    const task = scene.published();
    tasks.push(task);
    scene.store.complete(task, RESULT);
    scene.store.find(tasks[0]?.id);
  }
  assert.deepEqual(scene.store.usage, { running: 0, finished: 200, bytes: 200 * RESULT.length });
  assert.equal(scene.store.list().length, 200);
  assert.equal(scene.store.find('t1'), tasks[0], 'it is asked for all the time');
  assert.equal(
    code(() => scene.store.find('t2')),
    'TASK_GONE',
  );
  assert.equal(
    code(() => scene.store.find(tasks[9799]?.id)),
    'TASK_GONE',
  );
  assert.equal(scene.clock.armed, 1, 'one timer for all');
});

test('finished tasks are bounded by the bytes of their results', () => {
  const scene = new Scene({ bytes: 100 });
  const outcome = Buffer.alloc(40);
  for (let i = 0; i < 5; i++) scene.store.complete(scene.published(), outcome);
  assert.deepEqual(scene.store.usage, { running: 0, finished: 2, bytes: 80 });
  scene.store.complete(scene.published(), Buffer.alloc(200));
  assert.equal(scene.store.usage.bytes, 0, 'also one that is too large by itself');
});

test('a finished task is kept for its time and then really goes', async () => {
  const { store, clock, ...scene } = new Scene();
  const begin = () => store.begin({ tool: 'a', owner: 'o', cancel: () => {} });
  const [usual, short, long] = [begin(), begin(), begin()];
  store.publish(usual);
  store.publish(short, 1000);
  store.publish(long, 9e9);
  await clock.advance(2000);
  for (const task of [usual, short, long]) store.complete(task, RESULT);
  await clock.advance(4999);
  assert.equal(store.find(short.id), short, 'who polls when it ends can still collect it');
  await clock.advance(1);
  assert.equal(
    code(() => store.find(short.id)),
    'TASK_GONE',
  );
  await clock.advance(TASK_LIMITS.keptMs);
  assert.deepEqual([store.usage, store.list()], [{ running: 0, finished: 0, bytes: 0 }, []]);
  assert.equal(clock.armed, 0);
  assert.deepEqual(scene.heard.slice(-3), ['t2 gone', 't3 gone', 't1 gone']);
});

test('progress is told at once and then every 100 ms, the end of a task always at once', async () => {
  const scene = new Scene();
  const task = scene.published();
  for (let progress = 1; progress <= 50; progress++) scene.store.progress(task, { progress });
  assert.deepEqual(scene.heard, ['t1 added', 't1 updated']);
  await scene.clock.advance(100);
  assert.deepEqual(scene.heard, ['t1 added', 't1 updated', 't1 updated']);
  scene.store.progress(task, { progress: 51 });
  scene.store.complete(task, RESULT);
  assert.equal(scene.heard.at(-1), 't1 finished');
  scene.store.progress(task, { progress: 52 });
  await scene.clock.advance(200);
  assert.equal(scene.heard.length, 4);
  assert.deepEqual(task.progress, { progress: 51 });
});

test('a store that is disposed of cancels what runs and leaves no timer', async () => {
  const { store, clock, ...scene } = new Scene();
  const task = store.begin({ tool: 'a', owner: 'o', cancel: (reason) => scene.cancelled.push(reason) });
  store.publish(task);
  let woken = false;
  void store.wait(task, 5000).then(() => {
    woken = true;
  });
  store.progress(task, { progress: 1 });
  store[Symbol.dispose]();
  await clock.settle();
  assert.deepEqual([woken, scene.cancelled, store.list(), clock.armed], [true, ['the bridge stops'], [], 0]);
});
