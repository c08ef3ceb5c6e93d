import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textResult } from '../fake-server.ts';
import { call, initialize } from '../scene.ts';
import { factsOf, Kitchen, request, resultOf } from './kitchen.ts';

interface Page {
  readonly resources?: readonly { readonly name: string }[];
  readonly tasks?: readonly { readonly taskId: string }[];
  readonly nextCursor?: string;
}

test('tasks are resources: listed, read as JSON, and told of where a client subscribes', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  const { taskId } = factsOf(await kitchen.slow(link));
  const uri = `task://${taskId}`;
  const templates = await request(kitchen, link, 'resources/templates/list');
  const [template] = resultOf<{ resourceTemplates: { uriTemplate: string }[] }>(templates).resourceTemplates;
  assert.equal(template?.uriTemplate, 'task://{taskId}');
  const listed = await request(kitchen, link, 'resources/list');
  assert.deepEqual(
    resultOf<{ resources: { uri: string; name: string }[] }>(listed).resources.map(({ uri, name }) => [
      uri,
      name,
    ]),
    [[uri, 't1']],
  );
  const read = async (address: string) => {
    const reply = await request(kitchen, link, 'resources/read', { uri: address });
    const [{ text }] = resultOf<{ contents: [{ text: string }] }>(reply).contents;
    return JSON.parse(text) as Record<string, unknown>;
  };
  assert.equal((await read(uri)).status, 'working');
  for (let again = 0; again < 2; again++)
    assert.deepEqual((await request(kitchen, link, 'resources/subscribe', { uri }))?.result, {});
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  assert.deepEqual(link.take(), [updated], 'subscribed twice is told once');
  const { status, result } = await read('task://t1');
  assert.deepEqual([status, result], ['completed', textResult('a pie')]);
  kitchen.store.consume(kitchen.store.find('t1'));
  assert.deepEqual(link.take(), [updated], 'that it is gone is a change too');
  const gone = await request(kitchen, link, 'resources/read', { uri });
  assert.deepEqual([gone?.error?.code, gone?.error?.data], [-32002, { code: 'TASK_GONE' }]);
});

test('a document that is too long for the cloud is cut and says so, and a long list comes in pages', async () => {
  const kitchen = new Kitchen({ mode: 'always' });
  const link = kitchen.cloud();
  const text = 'パイ"'.repeat(2000);
  for (let id = 0; id < 60; id++) {
    link.say(call(id, 'bake'));
    kitchen.oven.answer(kitchen.oven.calls.at(-1), textResult(text));
  }
  link.take();
  const reply = await request(kitchen, link, 'resources/read', { uri: 'task://t1' });
  assert.ok(Buffer.byteLength(JSON.stringify(reply)) <= 8192);
  const [{ text: json }] = resultOf<{ contents: [{ text: string }] }>(reply).contents;
  const { status, result } = JSON.parse(json) as { status: string; result: { content: { text: string }[] } };
  assert.equal(status, 'completed');
  assert.match(result.content[0]?.text ?? '', /^パイ"パイ".*truncated/);
  const names: string[] = [];
  for (const method of ['resources/list', 'tasks/list']) {
    let cursor: string | undefined;
    do {
      const page = await request(kitchen, link, method, cursor === undefined ? {} : { cursor });
      assert.ok(Buffer.byteLength(JSON.stringify(page)) <= 8192);
      const { resources, tasks, nextCursor } = resultOf<Page>(page);
      names.push(...(resources ?? []).map(({ name }) => name), ...(tasks ?? []).map(({ taskId }) => taskId));
      cursor = nextCursor;
    } while (cursor !== undefined);
  }
  assert.deepEqual([names.length, new Set(names).size, names[59]], [120, 120, 't60']);
});

test('who unsubscribes or leaves is told nothing more', async () => {
  const kitchen = new Kitchen();
  const [link, other] = [kitchen.cloud(), kitchen.cloud()];
  await kitchen.slow(link);
  for (const line of [link, other]) await request(kitchen, line, 'resources/subscribe', { uri: 'task://t1' });
  await request(kitchen, link, 'resources/unsubscribe', { uri: 'task://t1' });
  assert.deepEqual((await request(kitchen, link, 'resources/unsubscribe', { uri: 'task://t1' }))?.result, {});
  other.drop();
  await kitchen.clock.settle();
  kitchen.oven.answer(kitchen.oven.calls[0]);
  assert.deepEqual([link.take(), other.refused], [[], 0]);
  const unknown = await request(kitchen, link, 'resources/subscribe', { uri: 'task://nobody' });
  assert.deepEqual(unknown?.error?.data, { code: 'TASK_UNKNOWN' });
});

test('a client of MCP 2025-11-25 may ask for a task, for its state, its result and its end', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(1, 'bake', { arguments: {}, task: { ttl: 60_000 } }));
  const { task } = resultOf<{ task: Record<string, unknown> }>(link.take()[0]);
  const { taskId, ...rest } = task;
  assert.deepEqual(rest, {
    status: 'working',
    createdAt: '2026-11-30T00:00:00.000Z',
    lastUpdatedAt: '2026-11-30T00:00:00.000Z',
    ttl: 60_000,
    pollInterval: 5000,
  });
  assert.equal(kitchen.oven.calls[0]?.params?.task, undefined, "the task is ours, not the server's");
  assert.deepEqual((await request(kitchen, link, 'tasks/get', { taskId }))?.result, task);
  assert.equal(await request(kitchen, link, 'tasks/result', { taskId }), undefined, 'it waits for the end');
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  await kitchen.clock.settle();
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId } };
  assert.deepEqual(link.take()[0]?.result, { ...textResult('a pie'), _meta });
  const over = await request(kitchen, link, 'tasks/cancel', { taskId });
  assert.equal(over?.error?.code, -32602);
  link.say(call(2, 'bake', { arguments: {}, task: {} }));
  link.take();
  const second = await request(kitchen, link, 'tasks/cancel', { taskId: 't2' });
  assert.equal(second?.result?.status, 'cancelled');
  assert.match(
    (await request(kitchen, link, 'tasks/result', { taskId: 't2' }))?.error?.message ?? '',
    /cancelled/,
  );
  const { tasks } = resultOf<{ tasks: { status: string }[] }>(await request(kitchen, link, 'tasks/list'));
  assert.deepEqual(
    tasks.map(({ status }) => status),
    ['completed', 'cancelled'],
  );
  await kitchen.clock.advance(60_000);
  assert.deepEqual((await request(kitchen, link, 'tasks/get', { taskId }))?.error?.data, {
    code: 'TASK_GONE',
  });
});

test('sync wins over the wish for a task, which no server is told of', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(1, 'bake', { arguments: { sync: true, dish: 'pie' }, task: { ttl: 60_000 } }));
  const { task, arguments: args } = kitchen.oven.calls[0]?.params ?? {};
  assert.deepEqual([task, args], [undefined, { dish: 'pie' }]);
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  assert.deepEqual(link.take()[0]?.result, textResult('a pie'));
});

test('the long error of a task is cut where the cloud would not take it', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(1, 'bake', { arguments: {}, task: {} }));
  link.take();
  const error = { code: -1, message: 'burnt '.repeat(4000) };
  kitchen.oven.say({ jsonrpc: '2.0', id: kitchen.oven.calls[0]?.id, error });
  const reply = await request(kitchen, link, 'tasks/result', { taskId: 't1' });
  assert.match(reply?.error?.message ?? '', /^burnt .*truncated/);
  assert.ok(Buffer.byteLength(JSON.stringify(reply)) <= 8192);
});

test('who unsubscribes from a task that is gone is told no error', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  const { taskId } = factsOf(await kitchen.slow(link));
  const uri = `task://${taskId}`;
  await request(kitchen, link, 'resources/subscribe', { uri });
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  kitchen.store.consume(kitchen.store.find('t1'));
  link.take();
  assert.deepEqual((await request(kitchen, link, 'resources/unsubscribe', { uri }))?.result, {});
});

test('a life that ends while a client waits for the result costs it nothing', async () => {
  const kitchen = new Kitchen();
  const link = kitchen.cloud();
  link.say(call(1, 'bake', { arguments: {}, task: { ttl: 10 } }));
  link.take();
  assert.equal(await request(kitchen, link, 'tasks/result', { taskId: 't1' }), undefined);
  await kitchen.clock.advance(9000);
  kitchen.oven.say({ jsonrpc: '2.0', id: kitchen.oven.calls[0]?.id, error: { code: -1, message: 'no' } });
  await kitchen.clock.settle();
  assert.deepEqual(link.take()[0]?.error, { code: -1, message: 'no' });
  await kitchen.clock.advance(5000);
  assert.equal(kitchen.store.list().length, 0);
});

test('what tasks need is announced only where there can be tasks, and their own methods only to who knows them', () => {
  const capabilities = (kitchen: Kitchen, protocolVersion: string) => {
    const { link } = kitchen.line({ tasks: kitchen.store });
    const hello = initialize(1) as { params: object };
    link.say({ ...hello, params: { ...hello.params, protocolVersion } });
    return Object.keys(resultOf<{ capabilities: object }>(link.take()[0]).capabilities);
  };
  assert.deepEqual(capabilities(new Kitchen(), '2025-11-25'), ['tools', 'resources', 'tasks']);
  assert.deepEqual(capabilities(new Kitchen(), '2024-11-05'), ['tools', 'resources']);
  assert.deepEqual(capabilities(new Kitchen({ mode: 'off' }), '2025-11-25'), ['tools']);
});

test('a line that shows one server shows no tasks of another', async () => {
  const kitchen = new Kitchen();
  kitchen.server('garden', 'dig');
  await kitchen.slow(kitchen.cloud());
  const [oven, garden] = [kitchen.cloud({ only: 'oven' }), kitchen.cloud({ only: 'garden' })];
  assert.equal((await request(kitchen, oven, 'tasks/get', { taskId: 't1' }))?.result?.status, 'working');
  const foreign = await request(kitchen, garden, 'tasks/get', { taskId: 't1' });
  assert.deepEqual(foreign?.error?.data, { code: 'TASK_UNKNOWN' });
  kitchen.oven.answer(kitchen.oven.calls[0], textResult('a pie'));
  await request(kitchen, garden, 'tasks/get', { taskId: 't1' });
  assert.equal(kitchen.store.list()[0]?.seen, false, 'who may not see it has not seen it');
});
