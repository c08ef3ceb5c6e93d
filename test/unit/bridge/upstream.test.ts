import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../device/kernel/fault.ts';
import { textResult } from './fake-server.ts';
import { call, Scene } from './scene.ts';

test('a request of the server is answered at once, under the id that it gave', () => {
  const { transport } = new Scene().upstream();
  for (const [id, method] of [
    ['0', 'ping'],
    ['"x"', 'roots/list'],
    ['12345678901234567890', 'sampling/createMessage'],
    ['1', 'elicitation/create'],
    ['null', 'p\\u0069ng'],
  ])
    transport.say(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{}}`);
  assert.deepEqual(transport.lines, [
    '{"jsonrpc":"2.0","id":0,"result":{}}',
    '{"jsonrpc":"2.0","id":"x","result":{"roots":[]}}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32601,"message":"sampling/createMessage is not offered here"}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"elicitation/create is not offered here"}}',
    '{"jsonrpc":"2.0","id":null,"result":{}}',
  ]);
});

test('a request of our own gets its result, and its failures are told apart by their codes', async () => {
  const scene = new Scene();
  const { transport, upstream } = scene.upstream('files');
  const fails = async (code: string, reply: unknown) => {
    const asked = upstream.request('tools/list', {}, 1000);
    const rejected = assert.rejects(asked, (error) => error instanceof Fault && error.code === code);
    const { id } = transport.got.at(-1) ?? {};
    if (typeof reply === 'string') transport.say(reply.replace('ID', String(id)));
    else await scene.clock.advance(1000);
    await rejected;
  };
  const good = upstream.request('tools/list', {}, 1000);
  transport.say('{"id":1,"result":{"tools":[]},"error":null}');
  assert.deepEqual(await good, { tools: [] });
  await fails('SERVER_REFUSED', '{"id":ID,"error":{"code":-32601,"message":"no"}}');
  await fails('SERVER_REFUSED', '{"id":ID,"error":{"message":{"toString":1,"valueOf":1}}}');
  await fails('SERVER_REFUSED', '{"id":ID,"error":"no"}');
  await fails('SERVER_TIMEOUT', undefined);
  assert.equal(scene.clock.armed, 0);
});

test('who asks a server that ends or has ended is told at once', async () => {
  const scene = new Scene();
  const { transport, upstream } = scene.upstream();
  const gone = (error: unknown) => error instanceof Fault && error.code === 'SERVER_EXITED';
  const asked = assert.rejects(upstream.request('ping', {}, 60_000), gone);
  transport.die();
  await asked;
  transport.reads = true;
  await assert.rejects(upstream.request('ping', {}, 60_000), Fault);
  assert.equal(scene.clock.armed, 0);
});

test('answers in a batch are split, whatever else a batch holds is noise', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  link.say(call(2, 'one'));
  server.say([
    { jsonrpc: '2.0', id: 2, result: textResult('b') },
    { jsonrpc: '2.0', id: 1, result: textResult('a') },
    { hello: 1 },
  ]);
  assert.deepEqual(
    link.take().map(({ id }) => id),
    [2, 1],
  );
  for (const batch of ['[1,2]', '[]', '[[{"id":1}]]', `[${'{},'.repeat(5000)}{}]`]) server.say(batch);
  assert.equal(scene.counters.child_stdout_garbage, 5);
});

test('an answer is known by its number however it is spelt, and by nothing else', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  for (let id = 1; id <= 4; id++) link.say(call(id, 'one'));
  for (const id of ['1.0', '2e0', '0.3e1']) server.say(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  for (const id of ['"4"', 'null', '[4]', '{"valueOf":4}', 'true', '""', '4.5', '-4', '1e999'])
    server.say(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  assert.deepEqual(
    link.take().map(({ id }) => id),
    [1, 2, 3],
  );
  server.say('{"result":{"a":1},"jsonrpc":"2.0","id":4}');
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 4, result: { a: 1 } }]);
});

test('nothing but strict JSON-RPC goes on: one outcome, the version, an error that is an object', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  for (const id of ['"x"', '12345678901234567890', '3', '4', '5', '6'])
    link.say(`{"id":${id},"method":"tools/call","params":{"name":"one"}}`);
  server.say('{"jsonrpc":"2.0","method":null,"error":null,"id":1,"result":{"content":[]}}');
  server.say('{"jsonrpc":"2.0","id":2,"result":null,"error":{"code":-32603,"message":"no"}}');
  server.say('{"id":3,"result":{"content":[]},"extra":1}');
  server.say('{"jsonrpc":"1.0","id":4,"result":null}');
  server.say('{"jsonrpc":"2.0","id":5,"error":"out of order"}');
  server.say('{"jsonrpc":2.0,"id":6,"error":null}');
  assert.deepEqual(link.sent, [
    '{"jsonrpc":"2.0","id":"x","result":{"content":[]}}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32603,"message":"no"}}',
    '{"jsonrpc":"2.0","id":3,"result":{"content":[]}}',
    '{"jsonrpc":"2.0","id":4,"result":null}',
    '{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"out of order"}}',
    '{"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"no reason given"}}',
  ]);
});

test('a message that came on many lines goes to the server on one', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  const pretty = JSON.stringify(call(1, 'one', { arguments: { text: 'a\nb\r' } }), null, 2);
  link.say(pretty.replaceAll('\n', '\r\n'));
  assert.match(server.lines[0] ?? '', /^[^\r\n]+$/);
  assert.deepEqual(server.got[0]?.params?.arguments, { text: 'a\nb\r' });
});

test('a server that reads nothing, or has too many calls in hand, is given no more', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  server.reads = false;
  link.say(call(1, 'one'));
  assert.deepEqual(link.take()[0]?.error, {
    code: -32000,
    message: 'SERVER_DOWN: a takes no more calls now',
    data: { code: 'SERVER_DOWN', server: 'a' },
  });
  server.reads = true;
  for (let id = 0; id < 5000; id++) link.say(call(id, 'one'));
  assert.equal(server.lines.length, 4096);
  assert.equal(link.take().length, 5000 - 4096);
});

test('progress that is long is cut to its numbers, a flood of it is thinned', async () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say(call(1, 'one', { _meta: { progressToken: 't' } }));
  const tell = (progress: number, message: string) =>
    server.say({
      method: 'notifications/progress',
      params: { progressToken: '1', progress, total: 9, message },
    });
  tell(1, 'short');
  tell(2, 'x'.repeat(5000));
  assert.deepEqual(
    link.take().map(({ params }) => params),
    [
      { progressToken: 't', progress: 1, total: 9, message: 'short' },
      { progressToken: 't', progress: 2, total: 9 },
    ],
  );
  for (let progress = 3; progress < 10_000; progress++) tell(progress, '');
  assert.equal(link.take().length, 48);
  await scene.clock.advance(1000);
  tell(10_000, '');
  assert.equal(link.take().length, 1);
  server.say('{"method":"notifications/progress","params":"text"}');
  server.say('{"method":"notifications/progress","params":null}');
  server.say('{"method":"notifications/progress"}');
  assert.equal(scene.counters.child_stdout_garbage, 0);
});
