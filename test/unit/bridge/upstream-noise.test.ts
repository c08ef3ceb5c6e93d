import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, Scene } from './scene.ts';

test('what is not JSON-RPC is dropped and counted, logged once a minute with its head', async () => {
  const scene = new Scene();
  const { transport } = scene.upstream();
  for (const line of ['Server running ✓', '5', '{"hello":1}', '{"id":1}', '{"method":5}', 'x'.repeat(5000)])
    transport.say(line);
  assert.equal(scene.counters.child_stdout_garbage, 6);
  const events = () => scene.events('child_stdout_garbage').map(({ lines, head }) => [lines, head]);
  assert.deepEqual(events(), [[1, 'Server running ✓']]);
  await scene.clock.advance(60_000);
  transport.say('y '.repeat(2500));
  assert.deepEqual(events()[1], [6, `${'y '.repeat(100)}…`]);
});

test('only MCP counts as life: chatter proves nothing', async () => {
  const scene = new Scene();
  const { transport, upstream, told } = scene.upstream();
  await scene.clock.advance(500);
  transport.say('still warming up');
  assert.equal(upstream.silentMs, 500);
  transport.say({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
  assert.equal(upstream.silentMs, 0);
  assert.equal(upstream.seenWall, scene.clock.wall());
  assert.deepEqual(told, ['notifications/message']);
});

test('a line in another encoding is repaired, and a mark before it is left out', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  link.say(call(2, 'one'));
  const sjis = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"x":"'),
    Buffer.from([0x83, 0x65]),
    Buffer.from('"}}'),
  ]);
  server.say(sjis);
  server.say('\ufeff{"jsonrpc":"2.0","id":2,"result":{}}');
  assert.deepEqual(
    link.take().map(({ result }) => result),
    [{ x: '\ufffde' }, {}],
  );
  assert.equal(scene.counters.child_stdout_garbage, 0);
});

test('whoever waits for an answer that was too long is told, by the id at either end', () => {
  const scene = new Scene();
  scene.router.declare('a', undefined);
  const { upstream } = scene.run('a', 'one');
  const { link } = scene.line();
  for (const id of ['one', 'two', 'three', 'four']) link.say(call(id, 'one'));
  const lose = (head: string, tail: string) => upstream.lineTooLong(Buffer.from(head), Buffer.from(tail));
  lose('{"jsonrpc":"2.0","id":2,"result":{"content":[', ']}}');
  lose('{"result":{"content":[', '"]},"jsonrpc":"2.0","id":1}');
  lose('{ "jsonrpc": "2.0", "id": 3, "result"', '"}]} }');
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.data]),
    ['two', 'one', 'three'].map((id) => [id, { code: 'TOO_LARGE', server: 'a' }]),
  );
  lose('{"method":"notifications/message","params":{', '},"jsonrpc":"2.0"}');
  lose('{"jsonrpc":"2.0","id":4,"method":"sampling/createMessage","params":', '}}');
  lose('{"method":"sampling/createMessage","params":{', '},"jsonrpc":"2.0","id":4}');
  assert.deepEqual(link.take(), [], 'what a server asks or tells is no answer');
  lose('xxxx', 'xxxx');
  assert.equal(link.take()[0]?.id, 'four', 'one call alone can only be meant');
  lose('xxxx', 'xxxx');
  assert.equal(scene.counters.child_lines_too_long, 8);
  assert.equal(scene.events('child_line_too_long').length, 1);
});

test('where two wait and no end shows an id, nobody is blamed; our own requests are told too', async () => {
  const scene = new Scene();
  scene.router.declare('a', undefined);
  const { upstream, transport } = scene.run('a', 'one');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  const list = assert.rejects(upstream.request('tools/list', {}, 1000), { code: 'TOO_LARGE' });
  upstream.lineTooLong(Buffer.from('x'), Buffer.from('x'));
  assert.deepEqual(link.take(), []);
  upstream.lineTooLong(Buffer.from('{"jsonrpc":"2.0","id":2,"result":'), Buffer.from('x'));
  await list;
  transport.answer(transport.calls[0]);
  assert.equal(link.take().length, 1);
});
