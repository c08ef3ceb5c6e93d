import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refresh } from '../../../bridge/refresh.ts';
import { call, Scene, tool } from './scene.ts';

const CHANGE_MS = 3000;
/** How long a cloud that was told of the change has to read the new list. */
const HEED_MS = 100;

/** A line whose cloud has been given the list, and what watches it for changes. */
async function begin() {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link, session } = scene.line();
  const refresh = new Refresh(session, link, scene.router, { ...scene, changeMs: CHANGE_MS });
  const list = async () => {
    link.say({ id: 1, method: 'tools/list' });
    await scene.clock.settle();
  };
  await list();
  return { scene, server, link, session, refresh, list };
}

test('a changed list closes the line once it has been quiet, with 1000', async () => {
  const { scene, link, refresh } = await begin();
  scene.router.update('a', [tool('two')]);
  await scene.clock.advance(CHANGE_MS - 1);
  scene.router.update('a', [tool('three')]);
  await scene.clock.advance(CHANGE_MS - 1);
  assert.equal(link.closedWith, undefined);
  await scene.clock.advance(1 + HEED_MS);
  assert.deepEqual([link.closedWith, refresh.done], [1000, true]);
});

test('it waits until no call is in flight', async () => {
  const { scene, server, link } = await begin();
  link.say(call(1, 'one'));
  scene.router.declare('b', [tool('two')]);
  link.say(call(2, 'two'));
  await scene.clock.advance(CHANGE_MS + 1000);
  assert.equal(link.closedWith, undefined);
  server.answer(server.calls[0]);
  await scene.clock.advance(100);
  assert.equal(link.closedWith, 1000, 'the call that waited for b was told that it is not running');
});

test('a change that is taken back, and one before the cloud has read the list, cost no reconnect', async () => {
  const { scene, link, session } = await begin();
  scene.router.update('a', [tool('two')]);
  assert.equal(session.isStale, true);
  scene.router.update('a', [tool('one')]);
  assert.equal(session.isStale, false);
  await scene.clock.advance(CHANGE_MS * 2);
  assert.equal(link.closedWith, undefined);
  const other = scene.line();
  using _ = new Refresh(other.session, other.link, scene.router, { ...scene, changeMs: CHANGE_MS });
  scene.router.update('a', [tool('two')]);
  await scene.clock.advance(CHANGE_MS + HEED_MS);
  assert.equal(other.link.closedWith, undefined);
  assert.deepEqual(other.link.sent, []);
  assert.equal(link.closedWith, 1000);
});

test('a cloud that read the new list by itself is left alone', async () => {
  const { scene, link, list } = await begin();
  scene.router.update('a', [tool('two')]);
  await list();
  await scene.clock.advance(CHANGE_MS);
  assert.equal(link.closedWith, undefined);
});

test('a changed list is told once on its line, and a cloud that heeds it keeps the line', async () => {
  const { scene, server, link, list } = await begin();
  const told = () => link.take().filter(({ method }) => method === 'notifications/tools/list_changed').length;
  link.say(call(1, 'one'));
  scene.router.update('a', [tool('two')]);
  await scene.clock.advance(2 * CHANGE_MS);
  assert.deepEqual([told(), link.closedWith], [1, undefined], 'a call is in flight');
  await list();
  server.answer(server.calls[0]);
  await scene.clock.advance(2 * CHANGE_MS);
  assert.deepEqual([told(), link.closedWith], [0, undefined]);
  scene.router.update('a', [tool('three')]);
  await scene.clock.advance(CHANGE_MS + HEED_MS);
  assert.deepEqual([told(), link.closedWith], [1, 1000]);
});

test('a list that never comes to rest is told all the same', async () => {
  const { scene, link } = await begin();
  for (let second = 0; second < 29; second++) {
    scene.router.update('a', [tool(`tool${second}`)]);
    await scene.clock.advance(1000);
  }
  assert.equal(link.closedWith, undefined);
  scene.router.update('a', [tool('last')]);
  await scene.clock.advance(1000 + HEED_MS);
  assert.equal(link.closedWith, 1000);
});

test('a server that dies again and again does not cost the line of all at each death', async () => {
  const { scene, link } = await begin();
  scene.router.declare('bad', []);
  scene.router.withdraw('bad');
  for (let death = 0; death < 5; death++) {
    const { transport } = scene.run('bad', 'fragile');
    await scene.clock.advance(2 * CHANGE_MS);
    transport.die();
    await scene.clock.settle();
    scene.router.withdraw('bad');
    await scene.clock.advance(2 * CHANGE_MS);
  }
  assert.equal(link.closedWith, undefined);
  scene.run('bad', 'fragile');
  scene.router.restore('bad');
  await scene.clock.advance(2 * CHANGE_MS);
  assert.equal(link.closedWith, 1000);
});

test('nothing is watched any more once the line is over', async () => {
  const { scene, link, refresh } = await begin();
  scene.router.update('a', [tool('two')]);
  refresh[Symbol.dispose]();
  scene.router.update('a', [tool('three')]);
  await scene.clock.advance(CHANGE_MS * 2);
  assert.deepEqual([link.closedWith, scene.clock.armed], [undefined, 0]);
});
