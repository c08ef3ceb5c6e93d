import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffered, offeredName, unknownNames } from '../../../bridge/choice.ts';
import { call, Scene, tool } from './scene.ts';

const toolsOf = (scene: Scene) => scene.router.table(60).routes.map(({ shown }) => shown);

test('without a choice every tool is offered under its own name', () => {
  assert.equal(isOffered(undefined, 'a'), true);
  assert.equal(offeredName(undefined, 'a'), 'a');
  assert.deepEqual(unknownNames({}, []), []);
});

test('include keeps only what it names, and exclude is stronger', () => {
  const choice = { include: ['a', 'b'], exclude: ['b'] };
  assert.deepEqual(
    ['a', 'b', 'c'].filter((name) => isOffered(choice, name)),
    ['a'],
  );
  assert.equal(isOffered({ include: [] }, 'a'), false);
  assert.equal(isOffered({ exclude: ['a'] }, 'b'), true);
});

test('names that no tool has are told once each, and few of them', () => {
  const choice = { include: ['a', 'x'], exclude: ['x'], rename: { y: 'z' } };
  assert.deepEqual(unknownNames(choice, [tool('a')]), ['x', 'y']);
  assert.deepEqual(unknownNames({}, [tool('a')], ['a', 'tiping']), ['tiping'], 'slips in asyncTools too');
  const many = Array.from({ length: 100 }, (_, n) => `${n}`.repeat(100));
  assert.ok(unknownNames({ exclude: many }, []).join().length < 2000);
});

test('a tool is listed and called by its new name, and its server gets the old one', () => {
  const scene = new Scene();
  const server = scene.server('a', 'one', 'two');
  scene.router.choose('a', { exclude: ['two'], rename: { one: 'uno' } });
  assert.deepEqual(toolsOf(scene), ['uno']);
  const { link } = scene.line();
  link.say(call(1, 'uno'));
  assert.equal(server.calls[0]?.params?.name, 'one');
  for (const [id, name] of ['one', 'two', 'a__one', 'a__two'].entries()) {
    link.say(call(id + 2, name));
    assert.match(JSON.stringify(link.take()), /TOOL_UNKNOWN/);
  }
  link.say(call(9, 'a__uno'));
  assert.equal(server.calls.length, 2);
});

test('names that become alike are kept apart by their servers', () => {
  const scene = new Scene();
  scene.server('a', 'one');
  scene.server('b', 'two');
  scene.router.choose('b', { rename: { two: 'one', __proto__: 'x' } });
  assert.deepEqual(toolsOf(scene), ['a__one', 'b__one']);
});

test('a name of an object of JavaScript is no rename', () => {
  assert.equal(offeredName({ rename: {} }, 'constructor'), 'constructor');
});

test('a refused server tells its reason at once, until it serves again', async () => {
  const scene = new Scene();
  const first = scene.server('a', 'one');
  const { link } = scene.line();
  first.die();
  await scene.clock.settle();
  link.say(call(1, 'one'));
  assert.deepEqual(link.take(), []);
  scene.router.refuse('a', { code: 'REMOTE_DOWN', reason: 'ECONNREFUSED' });
  assert.equal(link.take()[0]?.error?.message, 'REMOTE_DOWN: a is not running: ECONNREFUSED');
  link.say(call(2, 'one'));
  assert.match(JSON.stringify(link.take()[0]?.error?.data), /"code":"REMOTE_DOWN"/);
  const { transport } = scene.run('a', 'one');
  link.say(call(3, 'one'));
  assert.equal(transport.calls.length, 1);
});
