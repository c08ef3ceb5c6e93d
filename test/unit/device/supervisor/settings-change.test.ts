import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeService, stage } from './fake-service.ts';

test('after a change of the settings the services named stand in that order, the others stay where they are', async () => {
  await using scene = await stage((clock) => [
    new FakeService(clock, 'console', { kind: 'console' }),
    new FakeService(clock, 'a'),
    new FakeService(clock, 'b'),
    new FakeService(clock, 'line', { kind: 'endpoint' }),
  ]);
  scene.supervisor.add(new FakeService(scene.clock, 'c'));
  scene.supervisor.arrange(['c', 'b', 'a', 'line']);
  await scene.clock.settle();
  assert.deepEqual(
    scene.supervisor.parts().map(({ name, state }) => `${name} ${state}`),
    ['console ready', 'c ready', 'b ready', 'a ready', 'line ready'],
  );
});

test('settled waits for a start that is under way, and for nothing else', async () => {
  let release = () => {};
  await using scene = await stage((clock) => [new FakeService(clock, 'up')]);
  await scene.supervisor.settled('up');
  await scene.supervisor.settled('unknown');
  const slow = new FakeService(scene.clock, 'slow');
  slow.plan = (run) =>
    new Promise((resolve) => {
      release = () => resolve(run);
    });
  scene.supervisor.add(slow);
  let isSettled = false;
  const settled = scene.supervisor.settled('slow').then(() => {
    isSettled = true;
  });
  await scene.clock.settle();
  assert.equal(isSettled, false);
  release();
  await settled;
  assert.equal(scene.supervisor.parts().find(({ name }) => name === 'slow')?.state, 'ready');
});
