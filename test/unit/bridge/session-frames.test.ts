import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, Scene } from './scene.ts';

test('an id comes back as the text that it came as', () => {
  const { link } = new Scene().line();
  for (const id of [
    '0',
    '""',
    '"uuid_n_1"',
    '"\\u0041\\n"',
    '-7',
    '1.5',
    '1.0',
    '9007199254740993',
    '123456789012345678901234567890',
  ]) {
    link.say(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    assert.equal(link.sent.pop(), `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
});

test('an id that cannot be one is refused, and with it the call', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  for (const id of ['null', '{}', '{"a":1}', '[1]', 'true', 'false']) {
    link.say(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    link.say(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"one"}}`);
    const replies = link.take();
    assert.deepEqual(
      replies.map((reply) => [reply.id, reply.error?.code]),
      Array(2).fill([null, -32600]),
      id,
    );
  }
  const long = 'x'.repeat(2000);
  link.say(call(long, 'one'));
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    [[null, -32600]],
  );
  for (const method of ['5', 'null', '{}', '["ping"]']) link.say(`{"id":1,"method":${method}}`);
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    Array(4).fill([1, -32600]),
  );
  assert.deepEqual(server.calls, []);
});

test('a batch is split and each request answered as a message of its own', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call(2, 'one'),
    5,
    [{ jsonrpc: '2.0', id: 3, method: 'ping' }],
    { jsonrpc: '2.0', id: 'x', method: 'no/such' },
  ]);
  server.answer(server.calls[0]);
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [null, -32600],
      [null, -32600],
      ['x', -32601],
      [2, undefined],
    ],
  );
});

test('an empty batch and one of more than 50 are refused whole', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  const pings = (count: number) => Array(count).fill({ jsonrpc: '2.0', id: 1, method: 'ping' });
  link.say([]);
  link.say([...pings(50), call(2, 'one')]);
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    Array(2).fill([null, -32600]),
  );
  assert.deepEqual(server.calls, []);
  link.say(pings(50));
  assert.equal(link.take().length, 50);
  link.say('[{"jsonrpc":"2.0","id":1,"method":"ping"},');
  assert.equal(link.take()[0]?.error?.code, -32700);
});

test('keys may be escaped, doubled or hostile: the message is understood as JSON.parse would', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say('{"\\u0069d":7,"method":"ping"}');
  link.say('{"id":1,"id":8,"method":"ping"}');
  link.say('{"a\\"b":1,"\\ud800":2,"id":9,"method":"ping"}');
  link.say('{"__proto__":{"id":1},"constructor":1,"id":10,"method":"ping"}');
  link.say('{"id":11,"method":"tools\\/call","params":{"n\\u0061me":"one","a\\nb":1}}');
  assert.deepEqual(
    link.take().map(({ id, result }) => [id, result]),
    [7, 8, 9, 10].map((id) => [id, {}]),
  );
  server.answer(server.calls[0]);
  assert.equal(link.take()[0]?.id, 11);
});

test('a mark at the begin of a message is no part of it', () => {
  const { link } = new Scene().line();
  link.say('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}');
  link.say('\ufeff\ufeff{"jsonrpc":"2.0","id":2,"method":"ping"}');
  link.say('\ufeff');
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [null, -32700],
      [null, -32700],
    ],
  );
});

test('nothing that a cloud can say makes the session throw', () => {
  const scene = new Scene();
  scene.server('a', 'one');
  const { link } = scene.line();
  const values = [
    'null',
    '[]',
    '{}',
    '""',
    '"x"',
    '0',
    '1e999',
    'true',
    '{"toString":1,"valueOf":1}',
    '{"name":"one","arguments":{"toString":1}}',
    '{"requestId":{"toString":1},"reason":{"toString":1,"valueOf":1}}',
    '{"requestId":1,"reason":["x"]}',
    '{"name":"one","_meta":{"progressToken":{"toString":1}}}',
    '{"name":"one","_meta":5}',
    '{"name":{"toString":1}}',
    '{"clientInfo":{"name":{"toString":1}},"protocolVersion":{"toString":1}}',
  ];
  const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'notifications/cancelled', 'x'];
  for (const params of values) {
    for (const method of methods) {
      link.say(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
      link.say(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);
    }
    for (const id of values) link.say(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":${params}}`);
  }
  link.take();
  link.say({ jsonrpc: '2.0', id: 2, method: 'ping' });
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 2, result: {} }]);
});
