import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textResult } from '../fake-server.ts';
import { CALL_MS, call } from '../scene.ts';
import { factsOf, Kitchen, request, resultOf, textOf, WAIT_MS } from './kitchen.ts';

test('a call that ends within its wait is answered as without tasks', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(0, 'bake', { arguments: { dish: 'pie' } }));
  assert.deepEqual(kitchen.oven.calls[0]?.params?.arguments, { dish: 'pie' });
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 0, result: textResult('a pie') }]);
  assert.deepEqual(kitchen.store.usage, { running: 0, finished: 0, bytes: 0 });
  await kitchen.clock.advance(CALL_MS);
  assert.deepEqual([link.take(), kitchen.clock.armed], [[], 0]);
});

test('a call that outlives its wait gets a handle, and its result is asked for by whatever names it', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  const handle = await kitchen.slow(link);
  const { taskId, ...facts } = factsOf(handle);
  assert.equal(handle?.id, 'slow');
  assert.deepEqual(facts, {
    alias: 't1',
    status: 'working',
    tool: 'bake',
    startedAt: '2026-11-30T00:00:00.000Z',
    pollIntervalMs: 5000,
  });
  const [text, resource] = resultOf<{ content: { type: string; uri?: string }[] }>(handle).content;
  assert.deepEqual(
    [text?.type, resource?.type, resource?.uri],
    ['text', 'resource_link', `task://${taskId}`],
  );
  assert.equal(handle?.result?.isError, false);
  assert.match(textOf(await kitchen.ask(link, 'async_get_task_result', { taskId: 't1' })), /still running/);
  kitchen.oven.answer(kitchen.oven.calls[0], { ...textResult('a pie'), structuredContent: { dish: 'pie' } });
  assert.deepEqual(link.take(), [], 'it is answered already');
  for (const name of [taskId, 't1', { taskId }, JSON.stringify({ taskId })]) {
    const { result } = (await kitchen.ask(link, 'async_get_task_result', { taskId: name })) ?? {};
    assert.deepEqual(result, { ...textResult('a pie'), structuredContent: { dish: 'pie' } });
  }
  await kitchen.ask(link, 'async_get_task_result', { taskId: 't1', consume: true });
  assert.match(textOf(await kitchen.ask(link, 'async_get_task_result', { taskId: 't1' })), /^TASK_GONE/);
});

test('who asks for a result may wait for it', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  await kitchen.slow(link);
  link.say(call('poll', 'async_get_task_result', { arguments: { taskId: 't1', wait_ms: 5000 } }));
  await kitchen.clock.advance(3000);
  assert.deepEqual(link.take(), []);
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  await kitchen.clock.settle();
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 'poll', result: textResult('a pie') }]);
  const wrong = await kitchen.ask(link, 'async_get_task_result', { taskId: 't1', wait_ms: 'long' });
  assert.match(textOf(wrong), /^USAGE/);
});

test('sync waits for the result up to the deadline of a call, and always gives the handle at once', async () => {
  const kitchen = new Kitchen({ tools: { bake: 'always' } });
  const link = kitchen.cloud();
  link.say(call(1, 'bake'));
  assert.equal(factsOf(link.take()[0]).alias, 't1');
  link.say(call(2, 'bake', { arguments: { sync: true } }));
  await kitchen.clock.advance(CALL_MS - 1);
  assert.deepEqual(link.take(), []);
  await kitchen.clock.advance(1);
  assert.match(link.take()[0]?.error?.message ?? '', /^CALL_TIMEOUT/);
  assert.equal(kitchen.store.find('t1').status, 'working', 'a task has no such deadline');
  assert.deepEqual(kitchen.oven.calls[1]?.params?.arguments, {});
});

test('a task that runs for a quarter of an hour is ended', async () => {
  const kitchen = new Kitchen();
  await kitchen.slow(kitchen.cloud());
  await kitchen.clock.advance(15 * 60_000);
  const task = kitchen.store.find('t1');
  assert.deepEqual([task.status, task.reason?.split(':')[0]], ['failed', 'CALL_TIMEOUT']);
  assert.equal(kitchen.oven.cancelled.length, 1);
});

test('200 calls at once: 16 run and 184 are refused at once with a code', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  for (let id = 0; id < 200; id++) link.say(call(id, 'bake'));
  const refused = link.take();
  assert.equal(refused.length, 184);
  for (const { error } of refused) assert.deepEqual(error?.data, { code: 'TASK_FULL' });
  assert.equal(kitchen.oven.calls.length, 16);
  for (const asked of kitchen.oven.calls) kitchen.oven.answer(asked);
  assert.equal(link.take().length, 16);
});

test('a task is cancelled at its server with the id of the call there, and a late result is dropped', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  await kitchen.slow(link);
  const told = await kitchen.ask(link, 'async_cancel_task', { taskId: 't1' });
  assert.match(textOf(told), /is cancelled/);
  assert.deepEqual(kitchen.oven.cancelled, [kitchen.oven.calls[0]?.id]);
  kitchen.oven.answer(kitchen.oven.calls[0]);
  assert.equal(kitchen.counters.late_answers, 1);
  const again = await kitchen.ask(link, 'async_cancel_task', { taskId: 't1' });
  assert.deepEqual([again?.result?.isError, factsOf(again).status], [false, 'cancelled']);
  assert.match(textOf(await kitchen.ask(link, 'async_get_task_result', { taskId: 't1' })), /was cancelled/);
  const unknown = await kitchen.ask(link, 'async_cancel_task', { taskId: 't9' });
  assert.match(textOf(unknown), /^TASK_UNKNOWN/);
  assert.equal(unknown?.result?.isError, true);
});

test('a call that the cloud takes back within its wait is cancelled and not answered', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call('mine', 'bake'));
  link.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } });
  assert.equal(kitchen.oven.cancelled.length, 1);
  await kitchen.clock.advance(WAIT_MS);
  assert.deepEqual([link.take(), kitchen.store.usage.running, kitchen.clock.armed > 1], [[], 0, false]);
});

test('the tasks of a server that dies fail with the reason, before the handle and after it', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  await kitchen.slow(link);
  link.say(call('young', 'bake'));
  kitchen.oven.die('killed by SIGKILL');
  await kitchen.clock.settle();
  assert.match(link.take()[0]?.error?.message ?? '', /^SERVER_DOWN: oven ended during the call/);
  const told = await kitchen.ask(link, 'async_get_task_result', { taskId: 't1' });
  assert.equal(told?.result?.isError, true);
  assert.match(
    textOf(told),
    /t1 \(bake\) failed: SERVER_DOWN: oven ended during the call \(killed by SIGKILL\)/,
  );
});

test('tasks outlive the line; a call without its handle ends with it', async () => {
  const kitchen = new Kitchen();
  const first = kitchen.cloud();
  await kitchen.slow(first);
  first.say(call('young', 'bake'));
  first.drop();
  await kitchen.clock.settle();
  assert.deepEqual(kitchen.oven.cancelled, [kitchen.oven.calls[1]?.id]);
  const second = kitchen.cloud();
  const list = await kitchen.ask(second, 'async_list_pending_tasks');
  assert.equal(textOf(list), 't1: bake, working');
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  assert.equal(textOf(await kitchen.ask(second, 'async_get_task_result', { taskId: 't1' })), 'a pie');
  assert.equal(first.refused, 0);
});

test('a refused call of a task is told with the words of its server, and an error of its tool is its result', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  await kitchen.slow(link);
  await kitchen.slow(link);
  const [a, b] = kitchen.oven.calls;
  kitchen.oven.say({ jsonrpc: '2.0', id: a?.id, error: { code: -32602, message: 'no such dish' } });
  kitchen.oven.answer(b, { ...textResult('burnt'), isError: true });
  const refused = await kitchen.ask(link, 'async_get_task_result', { taskId: 't1' });
  assert.match(textOf(refused), /failed: no such dish/);
  assert.deepEqual(factsOf(refused).error, { code: -32602, message: 'no such dish' });
  const burnt = await kitchen.ask(link, 'async_get_task_result', { taskId: 't2' });
  assert.deepEqual(burnt?.result, { ...textResult('burnt'), isError: true });
  assert.equal(kitchen.store.find('t2').status, 'completed');
});

test('progress is kept with the task, and told to who asked for it only until the handle', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(1, 'bake', { arguments: {}, _meta: { progressToken: 'mine' } }));
  const token = kitchen.oven.calls[0]?.id;
  const tell = (progress: number) =>
    kitchen.oven.say({ method: 'notifications/progress', params: { progressToken: token, progress } });
  tell(1);
  assert.deepEqual(link.take()[0]?.params, { progressToken: 'mine', progress: 1 });
  await kitchen.clock.advance(WAIT_MS);
  link.take();
  tell(2);
  assert.deepEqual(link.take(), []);
  assert.deepEqual(kitchen.store.find('t1').progress, { progress: 2 });
  link.say(call(2, 'bake'));
  const { params } = kitchen.oven.calls[1] ?? {};
  assert.deepEqual(
    params?._meta,
    { progressToken: kitchen.oven.calls[1]?.id },
    'a token of our own where none came',
  );
});

test('the tools for tasks are listed only where a call can become one', async () => {
  const names = async (kitchen: Kitchen) => {
    const listed = await request(kitchen, kitchen.cloud(), 'tools/list');
    return resultOf<{ tools: { name: string }[] }>(listed).tools.map(({ name }) => name);
  };
  const ours = ['async_list_pending_tasks', 'async_get_task_result', 'async_cancel_task'];
  assert.deepEqual(await names(new Kitchen()), ['bake', 'look', ...ours]);
  assert.deepEqual(await names(new Kitchen({ mode: 'off' })), ['bake', 'look']);
  assert.deepEqual(await names(new Kitchen({ mode: 'off', tools: { look: 'auto' } })), [
    'bake',
    'look',
    ...ours,
  ]);
});

test('a server that is such a bridge itself is not wrapped twice, and its tools for tasks keep its name', async () => {
  const kitchen = new Kitchen();
  kitchen.router.declare('far', undefined, { mode: 'auto', waitMs: WAIT_MS, tools: {} });
  const { transport } = kitchen.run('far', 'dig', 'async_cancel_task');
  const link = kitchen.cloud();
  const { tools } = resultOf<{ tools: { name: string }[] }>(await request(kitchen, link, 'tools/list'));
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => /dig|cancel/.test(name)),
    ['dig', 'far__async_cancel_task', 'async_cancel_task'],
  );
  link.say(call(1, 'dig'));
  await kitchen.clock.advance(WAIT_MS * 5);
  assert.deepEqual(link.take(), [], 'it hands out its own tasks');
  link.say(call(2, 'far__async_cancel_task'));
  assert.equal(transport.calls.at(-1)?.params?.name, 'async_cancel_task');
});
