import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALL_MS, call, HOLD_MS, initialize, LIST_WAIT_MS, Scene, tool } from './scene.ts';

test('when the line drops, running calls are cancelled at their servers and what waits is not sent', async () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  scene.router.declare('b', [tool('two')]);
  const { link } = scene.line();
  const other = scene.line().link;
  link.say(call(1, 'one'));
  other.say(call(2, 'one'));
  link.say(call(3, 'two'));
  link.drop();
  await scene.clock.settle();
  assert.deepEqual(server.cancelled, [1], 'the calls of another line go on');
  assert.deepEqual(scene.run('b', 'two').transport.calls, []);
  server.answer(server.calls[1]);
  assert.equal(other.take().length, 1);
});

test('nothing is sent after the end of the line', async () => {
  const scene = new Scene();
  scene.router.declare('slow', undefined);
  const server = scene.server('a', 'one');
  const { link } = scene.line();
  link.say({ id: 1, method: 'tools/list' });
  link.say(call(2, 'one'));
  link.drop();
  await scene.clock.settle();
  server.answer(server.calls[0]);
  await scene.clock.advance(LIST_WAIT_MS + CALL_MS + HOLD_MS);
  assert.deepEqual([link.sent, link.refused, scene.listed], [[], 0, 0]);
  assert.equal(scene.clock.armed, 0);
});

test('the next line knows nothing of the one before', async () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  for (let round = 0; round < 20; round++) {
    const { link } = scene.line();
    link.say(initialize(0));
    link.say({ id: 1, method: 'tools/list' });
    link.say(call(2, 'one'));
    await scene.clock.settle();
    assert.deepEqual(
      link.take().map(({ id }) => id),
      [0, 1],
    );
    if (round % 2 === 0) server.answer(server.calls.at(-1));
    assert.equal(link.take().length, (round + 1) % 2);
    link.drop();
    await scene.clock.settle();
    server.answer(server.calls.at(-1));
    assert.deepEqual(link.sent, []);
  }
  assert.equal(scene.listed, 20);
});

test('a line for one server shows and calls the tools of that server alone', async () => {
  const scene = new Scene();
  scene.server('a', 'one');
  scene.server('b', 'one');
  const { link } = scene.line({ only: 'b' });
  link.say({ id: 1, method: 'tools/list' });
  await scene.clock.settle();
  assert.deepEqual(link.take()[0]?.result, { tools: [tool('one')] }, 'under its plain name');
  link.say(call(2, 'a__one'));
  assert.match(link.take()[0]?.error?.message ?? '', /TOOL_UNKNOWN/);
});

test('many answers of one tick leave in one write, the first of them at once', async () => {
  const { link } = new Scene().line();
  link.say({ id: 1, method: 'ping' });
  assert.deepEqual([link.sent.length, link.corks], [1, 1]);
  for (let id = 2; id < 10; id++) link.say({ id, method: 'ping' });
  assert.deepEqual([link.sent.length, link.corks], [9, 1]);
  await new Promise(process.nextTick);
  assert.equal(link.corks, 0);
});
