import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from './fake-link.ts';
import { initialize, LIST_WAIT_MS, Scene } from './scene.ts';

test('the greeting of the real cloud is answered in its order, with its ids', async () => {
  const scene = new Scene();
  scene.server('calculator', 'calculate');
  const { link } = scene.line();
  link.say(initialize(0));
  link.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  link.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  link.say({ jsonrpc: '2.0', id: 2, method: 'ping', params: {} });
  await scene.clock.settle();
  const [hello, ...rest] = link.take();
  assert.equal(hello?.id, 0);
  assert.deepEqual(hello?.result, {
    protocolVersion: '2024-11-05',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'aivoice-edge', version: '1.2.3' },
  });
  assert.deepEqual(
    rest.sort((a, b) => Number(a.id) - Number(b.id)).map(({ id, result }) => [id, Object.keys(result ?? {})]),
    [
      [1, ['tools']],
      [2, []],
    ],
  );
  assert.equal(scene.listed, 1);
  assert.equal(link.corks, 0, 'nothing is held back once the tick is over');
});

test('a notification is never answered, one with an id once', async () => {
  const scene = new Scene();
  const { link } = scene.line();
  for (const method of [
    'notifications/initialized',
    'notifications/roots/list_changed',
    'no/such',
    'ping',
    'tools/list',
  ]) {
    link.say({ jsonrpc: '2.0', method });
    link.say({ jsonrpc: '2.0', method, params: null });
    link.say({ jsonrpc: '2.0', method, params: {} });
  }
  await scene.clock.advance(LIST_WAIT_MS);
  assert.deepEqual(link.take(), []);
  link.say({ jsonrpc: '2.0', id: 7, method: 'notifications/initialized' });
  link.say({ jsonrpc: '2.0', id: 8, method: 'ping' });
  assert.deepEqual(link.take(), [
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: 8, result: {} },
  ]);
});

test('an unknown method is refused under its own id, text that is not JSON under null', () => {
  const { link } = new Scene().line();
  link.say({ jsonrpc: '2.0', id: 'abc', method: 'no/such' });
  link.say('not json');
  link.say('');
  link.say('{"jsonrpc":"2.0","id":1,"method":"ping"} {}');
  link.say(Buffer.from([0x00, 0xff, 0xfe, 0x7b]));
  link.say('{"jsonrpc":"2.0","id":9,"method":"ping"}\n');
  const replies = link.take();
  assert.deepEqual(
    replies.map(({ id, error }) => [id, error?.code]),
    [['abc', -32601], ...Array(4).fill([null, -32700]), [9, undefined]],
  );
  assert.match(replies[0]?.error?.message ?? '', /no\/such/);
});

test('what is JSON but no request is refused, an answer to nobody is ignored', () => {
  const { link } = new Scene().line();
  for (const odd of ['5', '"ping"', 'null', 'true', '{}', '{"jsonrpc":"2.0","id":3}']) link.say(odd);
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    [...Array(5).fill([null, -32600]), [3, -32600]],
  );
  link.say({ jsonrpc: '2.0', id: 1, result: {} });
  link.say({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'tool side not connected' } });
  assert.deepEqual(link.take(), []);
});

test('initialize may come again at any time, from several robots and in any revision', () => {
  const { link } = new Scene().line();
  const ask = (id: number, protocolVersion: unknown) =>
    link.say({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion } });
  link.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params: null });
  link.say({ jsonrpc: '2.0', id: 1, method: 'initialize' });
  link.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params: [] });
  link.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: null } });
  ask(1, '2024-11-05');
  ask(2, '2025-06-18');
  ask(1, '1999-01-01');
  ask(2, 5);
  assert.deepEqual(
    link.take().map(({ id, result }) => [id, result?.protocolVersion]),
    [
      [1, '2025-11-25'],
      [1, '2025-11-25'],
      [1, '2025-11-25'],
      [1, '2025-11-25'],
      [1, '2024-11-05'],
      [2, '2025-06-18'],
      [1, '2025-11-25'],
      [2, '2025-11-25'],
    ],
  );
});

test('initialize and ping are answered at once while every server hangs; a list waits for its bound only', async () => {
  const scene = new Scene();
  scene.router.declare('slow', undefined);
  scene.server('quick', 'now');
  const { link } = scene.line();
  link.say(initialize(0));
  link.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: null });
  link.say({ jsonrpc: '2.0', id: 2, method: 'ping' });
  assert.deepEqual(
    link.take().map(({ id }) => id),
    [0, 2],
  );
  await scene.clock.advance(LIST_WAIT_MS - 1);
  assert.deepEqual(link.take(), []);
  await scene.clock.advance(1);
  assert.deepEqual(listOf(link.take()[0]), ['now']);
  link.say({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
  await scene.clock.settle();
  assert.deepEqual(listOf(link.take()[0]), ['now'], 'who kept one list waiting keeps no other waiting');
});

test('a list that waits goes out as soon as the last server is known', async () => {
  const scene = new Scene();
  scene.router.declare('slow', undefined);
  const { link } = scene.line();
  link.say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await scene.clock.advance(200);
  scene.run('slow', 'later');
  await scene.clock.settle();
  assert.deepEqual(listOf(link.take()[0]), ['later']);
  assert.equal(scene.clock.armed, 0);
});

test('the list has one page: the first is asked for without a cursor, with an empty one or with null', async () => {
  const scene = new Scene();
  scene.server('a', 'one');
  const { link } = scene.line();
  for (const cursor of [undefined, '', null]) {
    link.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
    await scene.clock.settle();
    assert.deepEqual(listOf(link.take()[0]), ['one']);
  }
  link.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'page2' } });
  assert.equal(link.take()[0]?.error?.code, -32602);
});

function listOf(reply: Message | undefined): string[] {
  assert.ok(reply?.result);
  return (reply.result.tools as { name: string }[]).map(({ name }) => name);
}
