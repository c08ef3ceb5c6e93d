import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { textOf } from '../cloud/message.ts';
import { COMMAND } from './aivoice.ts';
import { SOON, startHost, target } from './async-host.ts';
import { Home } from './home.ts';
import { isAlive, leftoversWith } from './processes.ts';

const MCP_TARGET_SERVER = target('many-sided.mjs');
const QUICK = { MCP_TARGET_SERVER, MCP_TIMEOUT_MS: '100' };

describe('aivoice async, seen from the client of the SDK', () => {
  it('a fast call is answered as without it, a slow one with a handle whose result can be fetched once', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    assert.equal(textOf(await host.call('echo', { text: 'hi' })), '{"text":"hi"}');
    assert.deepEqual((await host.call('typed')).structuredContent, { sum: 3 });
    assert.equal((await host.call('fail')).isError, true);

    const handle = await host.call('hold', { ms: 500 });
    assert.equal(handle.isError, false);
    const { taskId, alias, status } = handle.structuredContent ?? {};
    assert.deepEqual([alias, status], ['t1', 'working']);
    assert.match(String(taskId), /^[\w-]{22}$/);
    assert.ok(handle.content.some(({ type }) => type === 'resource_link'));
    const pending = await host.call('async_list_pending_tasks');
    assert.match(textOf(pending), /t1: hold, working/);
    const result = await host.call('async_get_task_result', { taskId: 't1', wait_ms: 5000 });
    assert.equal(textOf(result), 'held');
    assert.match(textOf(await host.call('async_get_task_result', { taskId: 't1' })), /^TASK_GONE: /);
    assert.match(textOf(await host.call('async_get_task_result', { taskId: 't9' })), /^TASK_UNKNOWN: /);

    const kept = await host.call('hold', { ms: 300 });
    for (const consume of [false, true]) {
      const again = { taskId: kept.structuredContent, wait_ms: 5000, consume };
      assert.equal(textOf(await host.call('async_get_task_result', again)), 'held');
    }
    assert.deepEqual(host.errors, []);
  });

  it('sync waits, in both forms of the payload; a tool with such parameters of its own keeps them', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    const { tools } = await host.client.listTools();
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)!;
    assert.ok(schemaOf('echo').inputSchema.properties?.sync);
    assert.ok(schemaOf('strict').inputSchema.properties?.sync);
    assert.ok(schemaOf('own').inputSchema.properties?._sync);
    assert.equal(schemaOf('typed').outputSchema, undefined);
    assert.deepEqual(
      tools.map(({ name }) => name).filter((name) => name.startsWith('async_')),
      ['async_list_pending_tasks', 'async_get_task_result', 'async_cancel_task'],
    );

    assert.equal(textOf(await host.call('hold', { ms: 400, sync: true })), 'held');
    assert.equal(textOf(await host.call('hold', { arguments: { ms: 400 }, sync: true })), 'held');
    assert.equal(textOf(await host.call('echo', { arguments: { text: 'hi' } })), '{"text":"hi"}');
    assert.equal(textOf(await host.call('strict', { a: 1, sync: false })), '{"a":1}');
    const own = { arguments: { text: 'mine' }, sync: true };
    assert.equal(textOf(await host.call('own', { ...own, _sync: true })), JSON.stringify(own));
  });

  it('with a wait of 0 each call is a handle at once, but for sync', async () => {
    using home = new Home();
    await using host = await startHost(home, { MCP_TARGET_SERVER, MCP_TIMEOUT_MS: '0' });
    const handle = await host.call('echo', { text: 'hi' });
    assert.equal(handle.structuredContent?.alias, 't1');
    assert.equal(
      textOf(await host.call('async_get_task_result', { taskId: 't1', wait_ms: 5000 })),
      '{"text":"hi"}',
    );
    assert.equal(textOf(await host.call('echo', { text: 'hi', sync: true })), '{"text":"hi"}');
    for (let i = 0; i < 30; i++) {
      const { structuredContent } = await host.call('echo', { i });
      await host.call('async_get_task_result', { taskId: structuredContent, wait_ms: 5000, consume: false });
    }
    const { resources, nextCursor } = await host.client.listResources();
    assert.deepEqual([resources.length, resources.at(-1)?.uri, nextCursor], [31, 'note://one', undefined]);
  });

  it('a task that is cancelled is cancelled at its server; so is a call that the host takes back', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    await host.call('hold', { ms: 60_000 });
    assert.match(textOf(await host.call('async_cancel_task', { taskId: 't1' })), /t1 \(hold\) is cancelled/);
    assert.match(textOf(await host.call('async_cancel_task', { taskId: 't1' })), /already over: cancelled/);
    assert.equal(JSON.parse(textOf(await host.call('seen'))).length, 1);

    const stop = new AbortController();
    const given = { name: 'hold', arguments: { ms: 60_000, sync: true } };
    const started = host.client.callTool(given, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort('never mind'),
    });
    await assert.rejects(started, /never mind/);
    assert.equal(JSON.parse(textOf(await host.call('seen'))).length, 2);
    assert.deepEqual(host.errors, []);
  });

  it('a task is a resource beside those of the server, and says when it is done', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    const { client } = host;
    const { structuredContent } = await host.call('hold', { ms: 800 });
    const uri = `task://${structuredContent?.taskId}`;
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri });
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map((resource) => resource.uri),
      [uri, 'note://one'],
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['task://{taskId}', 'note://{name}'],
    );
    await host.updated.expect('the end of the task', (updated) => updated === uri, SOON);
    const document = JSON.parse(await read(uri));
    assert.equal(document.status, 'completed');
    assert.deepEqual(document.result, { content: [{ type: 'text', text: 'held' }] });
    await client.unsubscribeResource({ uri });
    await assert.rejects(client.readResource({ uri: 'task://nobody' }), /TASK_UNKNOWN/);

    async function read(address: string): Promise<string> {
      const [content] = (await client.readResource({ uri: address })).contents;
      return String((content as { text?: unknown } | undefined)?.text);
    }
  });

  it('a client that asks for a task of MCP gets one', async () => {
    using home = new Home();
    await using host = await startHost(home, { MCP_TARGET_SERVER });
    const params = { name: 'hold', arguments: { ms: 300 }, task: { ttl: 60_000 } };
    const { task } = await host.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const { tasks } = host.client.experimental;
    assert.equal((await tasks.getTask(task.taskId)).status, 'working');
    assert.equal((await tasks.listTasks()).tasks.length, 1);
    assert.deepEqual((await tasks.getTaskResult(task.taskId, CallToolResultSchema)).content, [
      { type: 'text', text: 'held' },
    ]);
    const other = await host.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    assert.equal((await tasks.cancelTask(other.task.taskId)).status, 'cancelled');
  });

  it('everything else passes through: prompts, resources, logging, completion, progress, questions to the host', async () => {
    using home = new Home();
    await using host = await startHost(home, { MCP_TARGET_SERVER });
    const { client } = host;
    assert.deepEqual((await client.listPrompts()).prompts, [{ name: 'greet' }]);
    assert.equal((await client.getPrompt({ name: 'greet' })).messages.length, 1);
    assert.deepEqual((await client.readResource({ uri: 'note://one' })).contents, [
      { uri: 'note://one', text: 'a note' },
    ]);
    await client.subscribeResource({ uri: 'note://one' });
    await host.updated.expect('the news of the server', (uri) => uri === 'note://one', SOON);
    const heard = new Promise((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params.data));
    });
    await client.setLoggingLevel('warning');
    assert.equal(await heard, 'heard');
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'a', value: 'd' } });
    assert.deepEqual(completion.values, ['done']);
    const progress: number[] = [];
    const given = { name: 'hold', arguments: { ms: 10 } };
    await client.callTool(given, undefined, { onprogress: (step) => progress.push(step.progress) });
    assert.deepEqual(progress, [1]);
    for (const _ of [1, 2])
      assert.deepEqual(JSON.parse(textOf(await host.call('ask'))), { roots: [{ uri: 'file:///here' }] });
    await client.ping();
    await assert.rejects(host.call('no_such_tool'), { code: -32602 });
    assert.deepEqual(host.errors, []);
  });

  it('a wrapper of a wrapper leaves the tasks to the inner one', async () => {
    using home = new Home();
    await using host = await startHost(home, {
      MCP_TARGET_SERVER: `'${process.execPath}' '${COMMAND}' async`,
      MCP_ENV: 'MCP_TARGET_SERVER=$INNER MCP_TIMEOUT_MS=50',
      MCP_TIMEOUT_MS: '60000',
      INNER: MCP_TARGET_SERVER,
    });
    const names = (await host.client.listTools()).tools.map(({ name }) => name);
    assert.equal(names.length, new Set(names).size);
    const { structuredContent } = await host.call('hold', { ms: 500 });
    const uri = `task://${structuredContent?.taskId}`;
    const { resources } = await host.client.listResources();
    assert.ok(resources.some((resource) => resource.uri === uri));
    const result = await host.call('async_get_task_result', { taskId: 't1', wait_ms: 5000 });
    assert.equal(textOf(result), 'held');
  });

  it('the target gets what MCP_ENV and MCP_WORKDIR say and no more, and ends with us when stdin closes', async () => {
    using home = new Home();
    await using host = await startHost(home, {
      MCP_TARGET_SERVER: target('many-sided.mjs', `'a b'`, '"$(c)"'.replace('$', '\\$')),
      MCP_ENV: 'A=1 B="x y" C=$A/$' + '{B} SECRET',
      MCP_WORKDIR: home.env.TMPDIR!,
      SECRET: 'not to be seen',
    });
    const seen = JSON.parse(textOf(await host.call('environment')));
    const { PATH, HOME, SHELL: _shell, folder, args, A, B, C, SECRET, ...others } = seen;
    assert.deepEqual([PATH, HOME, folder], [home.env.PATH, home.env.HOME, home.env.TMPDIR]);
    assert.deepEqual(args, ['a b', '$(c)']);
    assert.deepEqual([A, B, C, SECRET], ['1', 'x y', '1/x y', 'not to be seen']);
    // What /bin/sh adds of its own.
    assert.deepEqual(
      Object.keys(others).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
      [],
    );
    const { pid } = host.target();
    await host.client.close();
    assert.equal(isAlive(host.pid), false);
    assert.equal(isAlive(pid), false);
    assert.deepEqual(await leftoversWith(home.mark, 5000), []);
    assert.doesNotMatch(host.stderr.record.join(''), /not to be seen/);
  });
});
