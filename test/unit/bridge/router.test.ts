import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../../bridge/local-call.ts';
import { CLOUD_NAME_LIMIT, showNames } from '../../../bridge/names.ts';
import { textResult } from './fake-server.ts';
import { call, HOLD_MS, Scene, tool } from './scene.ts';

test('a call that comes between two runs waits for the next one, and calls keep their order', async () => {
  const scene = new Scene();
  const first = scene.server('a', 'one');
  const { link } = scene.line();
  first.die();
  await scene.clock.settle();
  for (const id of ['x', 'y', 'z']) link.say(call(id, 'one', { arguments: { id } }));
  assert.deepEqual(link.take(), []);
  await scene.clock.advance(HOLD_MS - 1);
  const { transport } = scene.run('a', 'one');
  assert.deepEqual(
    transport.calls.map(({ params }) => params?.arguments),
    [{ id: 'x' }, { id: 'y' }, { id: 'z' }],
  );
  for (const sent of transport.calls) transport.answer(sent);
  assert.deepEqual(
    link.take().map(({ id }) => id),
    ['x', 'y', 'z'],
  );
  assert.equal(first.calls.length, 0);
});

test('a call that waited in vain is told so after the hold', async () => {
  const scene = new Scene();
  scene.router.declare('a', [tool('one')]);
  const { link } = scene.line();
  link.say(call(1, 'one'));
  await scene.clock.advance(HOLD_MS - 1);
  assert.deepEqual(link.take(), []);
  await scene.clock.advance(1);
  assert.deepEqual(link.take()[0]?.error, {
    code: -32000,
    message: 'SERVER_DOWN: a is not running',
    data: { code: 'SERVER_DOWN', server: 'a' },
  });
  assert.equal(scene.counters.call_errors, 1);
  assert.deepEqual(scene.run('a', 'one').transport.calls, [], 'and is not run later');
  assert.equal(scene.clock.armed, 0);
});

test('calls in flight are told at once that their server died, and none is sent again', async () => {
  const scene = new Scene();
  const first = scene.server('a', 'one');
  const { link } = scene.line();
  for (let id = 0; id < 16; id++) link.say(call(id, 'one'));
  first.die('killed by SIGKILL');
  await scene.clock.settle();
  const replies = link.take();
  assert.equal(replies.length, 16);
  for (const { error } of replies)
    assert.equal(error?.message, 'SERVER_DOWN: a ended during the call (killed by SIGKILL)');
  assert.deepEqual(scene.run('a', 'one').transport.calls, []);
  assert.equal(scene.clock.armed, 0);
});

test('a withdrawn server is not listed, however often it comes up, until it is restored', async () => {
  const scene = new Scene();
  scene.router.declare('a', [tool('one')]);
  scene.server('b', 'two');
  const { link } = scene.line();
  link.say(call(1, 'one'));
  scene.router.withdraw('a');
  assert.match(link.take()[0]?.error?.message ?? '', /^SERVER_DOWN/);
  const names = () => scene.router.table(CLOUD_NAME_LIMIT).routes.map(({ shown }) => shown);
  assert.deepEqual(names(), ['two']);
  for (const name of ['one', 'a__one']) link.say(call(name, name));
  assert.deepEqual(
    link.take().map(({ error }) => error?.message),
    ['SERVER_DOWN: a is not running', 'SERVER_DOWN: a is not running'],
    'whoever has the old list is refused at once',
  );
  const { transport } = scene.run('a', 'one', 'more');
  assert.deepEqual(names(), ['two']);
  link.say(call(2, 'one'));
  assert.equal(transport.calls.length, 1, 'a run that serves is used');
  transport.die();
  await scene.clock.settle();
  scene.run('a', 'one', 'more');
  scene.router.restore('a');
  assert.deepEqual(names(), ['one', 'more', 'two']);
  scene.router.remove('a');
  assert.deepEqual(names(), ['two']);
});

test('a tool of a withdrawn server takes its name from no other', () => {
  const scene = new Scene();
  scene.server('a', 'one');
  const other = scene.server('b', 'one');
  scene.router.withdraw('a');
  const { link } = scene.line();
  for (const name of ['one', 'b__one']) link.say(call(name, name));
  assert.equal(other.calls.length, 2);
});

test('what waits for one server is bounded in number and in bytes', async () => {
  const scene = new Scene();
  scene.router.declare('a', [tool('one')]);
  scene.router.declare('b', [tool('two')]);
  const { link } = scene.line();
  for (let id = 0; id < 300; id++) link.say(call(id, 'one'));
  assert.equal(link.take().length, 300 - 256);
  for (let id = 0; id < 5; id++) link.say(call(id, 'two', { arguments: { text: 'x'.repeat(5 << 20) } }));
  assert.equal(link.take().length, 2);
  await scene.clock.advance(HOLD_MS);
  assert.equal(link.take().length, 256 + 3);
  for (let id = 0; id < 3; id++) link.say(call(id, 'two', { arguments: { text: 'x'.repeat(5 << 20) } }));
  assert.equal(link.take().length, 0, 'the room is free again');
});

test('a cancel reaches a call that still waits, and only that of the same line', async () => {
  const scene = new Scene();
  scene.router.declare('a', [tool('one')]);
  const mine = scene.line().link;
  const other = scene.line().link;
  mine.say(call(0, 'one', { arguments: { who: 'mine' } }));
  other.say(call(0, 'one', { arguments: { who: 'other' } }));
  mine.say({ method: 'notifications/cancelled', params: { requestId: 0 } });
  const { transport } = scene.run('a', 'one');
  assert.deepEqual(
    transport.calls.map(({ params }) => params?.arguments),
    [{ who: 'other' }],
  );
  await scene.clock.advance(HOLD_MS);
  assert.deepEqual(mine.take(), []);
});

test('lists that wait are all answered at their bound and leave nothing behind', async () => {
  const scene = new Scene();
  scene.router.declare('slow', undefined);
  const lists = Array.from({ length: 100 }, (_, index) => scene.router.listed(1000 + index));
  await scene.clock.advance(1100);
  await Promise.all(lists);
  assert.equal(scene.clock.armed, 0);
  await scene.router.listed(1000);
});

test('tools stand in the order of the settings, whenever their servers came up', () => {
  const scene = new Scene();
  for (const name of ['c', 'a', 'b']) scene.router.declare(name, undefined);
  for (const name of ['b', 'a', 'c']) scene.run(name, `${name}2`, `${name}1`);
  const names = () => scene.router.table(CLOUD_NAME_LIMIT).routes.map(({ shown }) => shown);
  assert.deepEqual(names(), ['c2', 'c1', 'a2', 'a1', 'b2', 'b1']);
  scene.router.arrange(['a', 'b']);
  assert.deepEqual(names(), ['a2', 'a1', 'b2', 'b1', 'c2', 'c1']);
  assert.deepEqual(
    scene.router.table(CLOUD_NAME_LIMIT, 'b').routes.map(({ shown }) => shown),
    ['b2', 'b1'],
  );
});

test('listeners hear of tools that came, went or changed, not of the same list again', () => {
  const scene = new Scene();
  scene.server('a', 'one');
  let heard = 0;
  const subscription = scene.router.onChange(() => heard++);
  scene.router.update('a', [tool('one')]);
  assert.equal(heard, 0);
  scene.router.update('a', [tool('two')]);
  scene.router.withdraw('a');
  scene.router.withdraw('a');
  assert.equal(heard, 2);
  subscription[Symbol.dispose]();
  scene.router.remove('a');
  assert.equal(heard, 2);
});

test('a call from this machine gets the result, the error with its code, or is given up', async () => {
  const scene = new Scene();
  const server = scene.server('a', 'one', 'x'.repeat(64));
  const stop = new AbortController();
  const ask = (name: string) => callTool(scene.router, name, { n: 1 }, stop.signal);
  assert.deepEqual(await ask('none'), { error: { code: 'TOOL_UNKNOWN', message: 'no such tool: none' } });
  const outcomes = ['a__one', 'one', 'one', 'one', 'one'].map(ask);
  const [first, second, third, fourth, fifth] = server.calls;
  server.answer(first, textResult('yes'));
  server.say({ id: second?.id, error: { code: -32602, message: 'no' } });
  server.say({
    id: third?.id,
    error: { code: { toString: 1 }, message: { toString: 1 }, data: { code: 5 } },
  });
  server.say({ id: fourth?.id, error: { code: 1, data: { code: 'FILES_DENIED' } } });
  server.say({ id: fifth?.id, error: 'no' });
  assert.deepEqual(await Promise.all(outcomes), [
    { result: textResult('yes') },
    { error: { code: '-32602', message: 'no' } },
    { error: { code: '-32603', message: 'no reason given' } },
    { error: { code: 'FILES_DENIED', message: 'no reason given' } },
    { error: { code: '-32603', message: 'no' } },
  ]);
  const given = ask('one');
  stop.abort();
  assert.deepEqual(await given, { error: { code: 'STOPPED', message: 'given up' } });
  assert.deepEqual(await ask('one'), { error: { code: 'STOPPED', message: 'given up' } });
  assert.deepEqual(server.cancelled, [6]);
});

test('a server gets the name of its own tool, whichever name it was called by', () => {
  const scene = new Scene();
  const long = 'x'.repeat(64);
  const server = scene.server('a', long);
  const { signal } = new AbortController();
  const alias = scene.router.table(64).routes[0]?.shown ?? '';
  assert.equal(alias, long);
  const [short = ''] = showNames([{ server: 'a', tool: long }], { prefix: 'always', limit: 64 });
  assert.equal(short.length, 64);
  for (const name of [long, `a__${long}`, short]) void callTool(scene.router, name, {}, signal);
  const { link } = scene.line();
  const shown = scene.router.table(CLOUD_NAME_LIMIT).routes[0]?.shown ?? '';
  assert.ok(shown.length <= CLOUD_NAME_LIMIT);
  link.say(call(1, shown));
  assert.deepEqual(
    server.calls.map(({ params }) => params?.name),
    [long, long, long, long],
  );
});
