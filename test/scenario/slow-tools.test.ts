import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import type { CallResult } from '../cloud/message.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';
import type { ServerEntry } from './home.ts';

/** `hold` gives a handle after 200 ms; everything else of the server waits for its answer. */
const tools: ServerEntry = {
  ...fixture('tools.mjs'),
  async: 'off',
  asyncWaitMs: 200,
  asyncTools: { hold: 'auto' },
};

interface Facts {
  readonly taskId: string;
  readonly alias: string;
  readonly status: string;
}

interface Schema {
  readonly properties?: object;
}

function factsOf(result: CallResult): Facts {
  return (result as unknown as { structuredContent: Facts }).structuredContent;
}

async function counts(cloud: Cloud): Promise<{ calls: number; cancels: number; pid: number }> {
  return JSON.parse(textOf(await cloud.call('count')));
}

const resultOf = (cloud: Cloud, taskId: string, wait_ms = 0) =>
  cloud.call('async_get_task_result', { taskId, wait_ms });

it('a slow call through the cloud gives a handle, and then its result by tool and by address', async () => {
  proves('task-handle');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { tools } });
  const line = await cloud.ready();
  const handle = factsOf(await cloud.call('hold', { ms: 900 }));
  assert.deepEqual([handle.alias, handle.status], ['t1', 'working']);
  const uri = `task://${handle.taskId}`;
  await cloud.request('resources/subscribe', { uri });
  assert.equal(textOf(await cloud.call('async_list_pending_tasks')), 't1: hold, working');
  const updated = line.expect(
    'an update',
    ({ message }) => message?.method === 'notifications/resources/updated',
    10_000,
  );
  assert.equal(textOf(await resultOf(cloud, 't1', 5000)), 'held');
  assert.deepEqual((await updated).message?.params, { uri });
  const { result } = await cloud.request('resources/read', { uri });
  const [{ text }] = (result as { contents: [{ text: string }] }).contents;
  assert.deepEqual(JSON.parse(text).result, { content: [{ type: 'text', text: 'held' }] });
  assert.equal(textOf(await cloud.call('hold', { ms: 500, sync: true })), 'held', 'sync waits');
});

it('a third-party server has tasks by default, and a built-in one has not', async () => {
  await using cloud = await startCloud();
  const { async: _, ...entry } = fixture('tools.mjs');
  const quick = { ...entry, asyncTools: { hold: { asyncWaitMs: 100 } } };
  await using _appliance = startAppliance({ cloud, servers: { tools: quick, calculator: {} } });
  await cloud.ready();
  const listed = await cloud.tools();
  const propertiesOf = (name: string) => {
    const { properties = {} } = (listed.find((one) => one.name === name)?.inputSchema ?? {}) as Schema;
    return Object.keys(properties);
  };
  assert.deepEqual(propertiesOf('echo'), ['text', 'sync']);
  assert.equal(propertiesOf('calculate').includes('sync'), false);
  assert.ok(listed.some(({ name }) => name === 'async_get_task_result'));
  assert.equal(textOf(await cloud.call('echo', { text: 'quick' })), 'quick');
  assert.equal(factsOf(await cloud.call('hold', { ms: 900 })).alias, 't1', 'a tool has a wait of its own');
});

it('a task is cancelled at its server, and one of a killed server fails with the reason', async () => {
  proves('task-kept');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { tools } });
  await cloud.ready();
  await cloud.call('hold', { ms: 60_000 });
  assert.match(textOf(await cloud.call('async_cancel_task', { taskId: 't1' })), /is cancelled/);
  const { cancels, pid } = await counts(cloud);
  assert.equal(cancels, 1);
  await cloud.call('hold', { ms: 60_000 });
  process.kill(pid, 'SIGKILL');
  const failed = await resultOf(cloud, 't2', 5000);
  assert.equal(failed.isError, true);
  assert.match(textOf(failed), /t2 \(hold\) failed: SERVER_DOWN: tools ended during the call/);
  assert.notEqual((await counts(cloud)).pid, pid);
});

it('a task outlives the line to the cloud', async () => {
  proves('task-kept');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { tools } });
  const line = await cloud.ready();
  await cloud.call('hold', { ms: 1500 });
  await line.terminate();
  const next = await cloud.connection(2);
  await next.tools();
  assert.equal(
    textOf(await next.session.call('async_get_task_result', { taskId: 't1', wait_ms: 5000 })),
    'held',
  );
  assert.equal((await counts(cloud)).cancels, 0);
});

it('of 200 slow calls at once 16 run and the rest are refused at once', async () => {
  proves('task-bounds');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { tools } });
  await cloud.ready();
  const calls = Array.from({ length: 200 }, () =>
    cloud.request('tools/call', { name: 'hold', arguments: { ms: 60_000 } }),
  );
  const replies = await Promise.all(calls);
  const refused = replies.filter(({ error }) => /TASK_FULL/.test(error?.message ?? ''));
  assert.deepEqual([replies.length, refused.length], [200, 184]);
  assert.equal((await counts(cloud)).calls, 17);
});
