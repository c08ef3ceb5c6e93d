import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { look, one, refuse } from './one-part.ts';

test('a start past its deadline is aborted and counts as a death', async () => {
  const { scene, service } = await one((_run, signal) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await using _ = scene;
  await scene.clock.advance(15_000);
  assert.equal(service.signals[0]!.aborted, true);
  const { state, code, reason } = look(scene);
  assert.deepEqual(
    { state, code, reason },
    { state: 'degraded', code: 'SERVER_TIMEOUT', reason: 'not ready after 15000 ms' },
  );
  await scene.clock.advance(500);
  assert.deepEqual([look(scene).state, look(scene).code], ['starting', 'SERVER_TIMEOUT']);
});

test('a late start says its own cause where it has one', async () => {
  const { scene } = await one((_run, signal) => {
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new Fault('NET_NAME', 'no such name'))),
    );
  });
  await using _ = scene;
  await scene.clock.advance(15_000);
  assert.equal(look(scene).code, 'NET_NAME');
});

test('what a start brings up after it was given up is disposed', async () => {
  let resolve = () => {};
  const { scene, service } = await one((run) => {
    return new Promise((done) => {
      resolve = () => done(run);
    });
  });
  await using _ = scene;
  await scene.clock.advance(15_000);
  assert.equal(service.runs.length, 1);
  await scene.clock.advance(3000);
  resolve();
  await scene.clock.settle();
  assert.equal(service.runs[0]!.disposals, 1);
});

test('stopping while starting disposes what was started', async () => {
  let resolve = () => {};
  const { scene, service } = await one((run, signal) => {
    return new Promise((done) => {
      resolve = () => done(run);
      signal.addEventListener('abort', resolve);
    });
  });
  await scene.stop();
  assert.equal(service.runs[0]!.disposals, 1);
  assert.equal(service.runs.length, 1);
});

test('a restart by hand forgets the row of deaths and starts at once', async () => {
  const { scene, service } = await one(refuse('SERVER_NOT_FOUND', 'command not found: x'));
  await using _ = scene;
  await scene.clock.advance(30_000);
  const tries = service.runs.length;
  service.plan = async (run) => run;
  assert.equal(await scene.supervisor.restart('files'), true);
  assert.equal(service.runs.length, tries + 1);
  assert.equal(look(scene).state, 'ready');
});

test('restarts by hand at the same moment end in one run', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  await Promise.all([1, 2, 3].map(() => scene.supervisor.restart('files')));
  await scene.clock.settle();
  assert.equal(service.runs.filter((run) => run.disposals === 0).length, 1);
  assert.equal(look(scene).state, 'ready');
});

test('a restart ends the old run before it starts the new one', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  service.run.stopping = scene.clock.sleep(1000);
  const restarting = scene.supervisor.restart('files');
  await scene.clock.advance(999);
  assert.equal(service.runs.length, 1);
  await scene.clock.advance(1);
  await restarting;
  assert.equal(service.runs.length, 2);
});

test('a run that stops late never has a second one beside it, and that it is late is told once', async () => {
  const { scene, service } = await one(undefined, { stopMs: 7000 });
  await using _ = scene;
  service.run.stopping = scene.clock.sleep(60_000);
  const restarting = scene.supervisor.restart('files');
  await scene.clock.advance(59_999);
  assert.equal(service.runs.length, 1);
  const late = scene.lines.filter((line) => line.event === 'stop_late');
  assert.deepEqual(
    late.map((line) => line.stopMs),
    [7000],
  );
  await scene.clock.advance(1);
  await restarting;
  assert.equal(service.runs.length, 2);
});

test('a start that was given up and hangs on has no other start beside it', async () => {
  let resolve = () => {};
  const { scene, service } = await one((run) => {
    return new Promise((done) => {
      resolve = () => done(run);
    });
  });
  await using _ = scene;
  await scene.clock.advance(120_000);
  assert.equal(service.runs.length, 1);
  resolve();
  await scene.clock.advance(500);
  assert.deepEqual([service.runs.length, service.runs[0]!.disposals], [2, 1]);
  resolve();
});
