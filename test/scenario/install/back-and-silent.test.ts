import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SigningKey } from '../../release/key.ts';
import { WatchScene } from './watch-scene.ts';

describe('what an undo has put back', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  test('is on record until it answers, and gives way where it does not', async () => {
    using scene = new WatchScene(key);
    scene.start();
    scene.restarts = 3;
    scene.answers = undefined; // what is back says nothing either
    await scene.until(() => scene.store.update()?.phase === 'returning');
    const { phase, back } = scene.store.update() ?? {};
    assert.deepEqual([phase, back], ['returning', 'releases/1.0.0']);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
    const { from } = await scene.ended();
    assert.equal(from, '0.9.0');
    assert.equal(scene.store.update(), undefined);
    assert.deepEqual(scene.links(), [scene.store.places.factory, scene.store.places.factory]);
    assert.equal(scene.store.undone()?.back, '0.9.0', 'people are told what is really back');
  });

  test('a power cut in the middle of an undo does not leave a release in place that never answers', async () => {
    using scene = new WatchScene(key);
    scene.returning();
    scene.answers = undefined;
    scene.start();
    await scene.ended();
    assert.deepEqual(scene.links(), [scene.store.places.factory, scene.store.places.factory]);
    assert.equal(scene.restarted, 1);
    assert.equal(scene.store.update(), undefined);
  });

  test('after such a cut the release that is back stays where it answers', async () => {
    using scene = new WatchScene(key);
    scene.returning();
    scene.start();
    const { verdict, version } = await scene.ended();
    assert.deepEqual([verdict, version, scene.restarted], ['good', '1.1.0', 0]);
    assert.deepEqual(scene.links(), ['releases/1.1.0', 'releases/1.1.0']);
    assert.equal(scene.store.update(), undefined);
  });

  test('a unit that somebody stops while what is back should answer is not started again by the factory', async () => {
    using scene = new WatchScene(key);
    scene.returning();
    scene.answers = undefined;
    scene.state = 'inactive';
    scene.start();
    assert.equal((await scene.ended()).verdict, 'good');
    assert.equal(scene.restarted, 0);
    assert.deepEqual(scene.links(), ['releases/1.1.0', 'releases/1.1.0']);
  });
});
