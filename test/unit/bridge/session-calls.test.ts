import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textResult } from './fake-server.ts';
import { CALL_MS, call, Scene } from './scene.ts';

test('a call goes to its server under an id of ours and its answer back under the id of the cloud', () => {
  const scene = new Scene();
  const server = scene.server('calculator', 'calculate');
  const { link } = scene.line();
  link.say(call('uuid_n_1', 'calculate', { arguments: { expression: '1004×328' }, serialNumber: null }));
  assert.deepEqual(server.calls, [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'calculate', arguments: { expression: '1004×328' }, serialNumber: null },
    },
  ]);
  server.answer(server.calls[0], textResult('329312'));
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 'uuid_n_1', result: textResult('329312') }]);
});

test('the same id in flight twice is answered twice, each with its own answer', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one', 'two');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  link.say(call(1, 'two'));
  const [one, two] = server.calls;
  server.answer(two, textResult('second'));
  server.answer(one, textResult('first'));
  assert.deepEqual(
    link.take().map(({ id, result }) => [id, result]),
    [
      [1, textResult('second')],
      [1, textResult('first')],
    ],
  );
});

test('arguments may be absent, null, an empty list or an object in a string; anything else is refused', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  for (const [given, expected] of [
    [undefined, undefined],
    [null, {}],
    [[], {}],
    ['', {}],
    [' ', {}],
    ['{"x": 1}', { x: 1 }],
    [{ y: 2 }, { y: 2 }],
  ]) {
    link.say(call(1, 'one', { arguments: given }));
    assert.deepEqual(server.calls.at(-1)?.params?.arguments, expected);
  }
  const before = server.calls.length;
  for (const wrong of [
    5,
    true,
    [1],
    'text',
    '[1]',
    'null',
    '{"x":',
    `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
  ]) {
    link.say(call(2, 'one', { arguments: wrong }));
    assert.equal(link.take()[0]?.error?.code, -32602, JSON.stringify(wrong).slice(0, 40));
  }
  assert.equal(server.calls.length, before);
});

test('a call without a name or of an unknown tool is refused with a reason', () => {
  const scene = new Scene();
  scene.server('a', 'one');
  const { link } = scene.line();
  for (const params of ['null', '[]', '{}', '"one"', '{"name":5}', '{"name":null}', '{"name":["one"]}'])
    link.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  link.say('{"jsonrpc":"2.0","id":1,"method":"tools/call"}');
  const replies = link.take();
  assert.deepEqual(
    replies.map(({ error }) => error?.code),
    Array(8).fill(-32602),
  );
  for (const name of ['two', '__proto__', 'constructor', 'x'.repeat(5000)]) {
    link.say(call(2, name));
    const [reply] = link.take();
    assert.deepEqual(reply?.error?.data, { code: 'TOOL_UNKNOWN' });
    assert.ok((reply?.error?.message.length ?? 0) < 200);
  }
});

test('a call without an id is not run', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'one', arguments: {} } });
  assert.deepEqual([server.lines, link.sent], [[], []]);
});

test('a tool is called by the name that was listed, by server__tool, and in escaped spelling', () => {
  const scene = new Scene();
  const one = scene.server('one', 'echo', 'only');
  const two = scene.server('two', 'echo');
  const { link } = scene.line();
  for (const name of ['one__echo', 'only', 'one__only']) link.say(call(1, name));
  link.say('{"id":1,"method":"tools/call","params":{"name":"\\u006fnly"}}');
  link.say(call(1, 'two__echo'));
  link.say(call(1, 'echo'));
  assert.deepEqual(
    [one, two].map(({ calls }) => calls.map(({ params }) => params?.name)),
    [['echo', 'only', 'only', 'only'], ['echo']],
  );
  assert.match(link.take()[0]?.error?.message ?? '', /TOOL_UNKNOWN/, 'echo alone could be either');
});

test('a cancel reaches the server under its own id, and its late answer reaches nobody', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  const ids = ['0', '1', '"1"', '""', '12345678901234567890', '1.50', '"\\u0041"'];
  for (const id of ids)
    link.say(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"one"}}`);
  for (const [index, id] of ids.entries()) {
    link.say(`{"method":"notifications/cancelled","params":{"requestId":${id},"reason":"enough"}}`);
    assert.deepEqual(server.cancelled.slice(index), [index + 1], id);
  }
  for (const sent of server.calls) server.answer(sent);
  assert.deepEqual(link.take(), []);
  assert.equal(scene.counters.late_answers, ids.length);
  link.say({ method: 'notifications/cancelled', params: { requestId: 99 } });
  link.say({ method: 'notifications/cancelled', params: {} });
  link.say({ method: 'notifications/cancelled' });
  assert.equal(server.cancelled.length, ids.length);
});

test('progress goes to who asked, with the token that it gave and forward only', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  const tokens = [1, '1', 0, '', 'token'];
  for (const progressToken of tokens)
    link.say(call(progressToken, 'one', { _meta: { progressToken, x: 1 } }));
  link.say(call('quiet', 'one', { _meta: { progressToken: 'x'.repeat(2000) } }));
  const sent = server.calls.map(({ params }) => params?._meta as { progressToken?: unknown; x?: unknown });
  assert.deepEqual(
    sent.map((meta) => meta?.progressToken),
    [1, 2, 3, 4, 5, 'x'.repeat(2000)],
  );
  const tell = (progressToken: unknown, progress: unknown) =>
    server.say({ method: 'notifications/progress', params: { progressToken, progress, total: 9 } });
  for (const number of [1, 2, 3, 4, 5, 6]) tell(number, 1);
  assert.deepEqual(
    link.take().map(({ params }) => params),
    tokens.map((progressToken) => ({ progressToken, progress: 1, total: 9 })),
  );
  for (const progress of [1, 0, null, 'x', { toString: 1, valueOf: 1 }, undefined]) tell(1, progress);
  for (const token of [99, null, undefined, [1], { toString: 1, valueOf: 1 }]) tell(token, 5);
  assert.deepEqual(link.take(), []);
  tell(1, 2);
  assert.equal(link.take().length, 1);
  server.answer(server.calls[0]);
  link.take();
  tell(1, 3);
  assert.deepEqual(link.take(), [], 'a call that was answered has no progress');
});

test('a call past its deadline is told so, and its server too', async () => {
  const scene = new Scene();
  const server = scene.server('slow', 'one');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  await scene.clock.advance(CALL_MS - 1000);
  link.say(call(2, 'one'));
  await scene.clock.advance(999);
  assert.deepEqual(link.take(), []);
  await scene.clock.advance(1);
  const [late] = link.take();
  assert.deepEqual([late?.id, late?.error?.code], [1, -32001]);
  assert.equal(late?.error?.message, 'CALL_TIMEOUT: slow did not answer within 28 s');
  assert.deepEqual(late?.error?.data, { code: 'CALL_TIMEOUT', server: 'slow' });
  assert.deepEqual(server.cancelled, [1]);
  server.answer(server.calls[0]);
  server.answer(server.calls[1]);
  assert.deepEqual(
    link.take().map(({ id }) => id),
    [2],
  );
  const { call_timeouts, late_answers, calls, call_errors } = scene.counters;
  assert.deepEqual(
    { call_timeouts, late_answers, calls, call_errors },
    {
      call_timeouts: 1,
      late_answers: 1,
      calls: 2,
      call_errors: 1,
    },
  );
  await scene.clock.advance(CALL_MS);
  assert.equal(scene.clock.armed, 0);
});
