import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { POLICY } from './fake-service.ts';
import { look, one, refuse } from './one-part.ts';

test('the first restart after a healthy run comes at once, and the status keeps the death in mind', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  await scene.clock.advance(POLICY.settleMs);
  const diedAt = scene.clock.wall();
  service.run.die('exited 3');
  await scene.clock.settle();
  assert.deepEqual(service.gaps, [POLICY.settleMs]);
  const { state, reason, restarts, pid, ended } = look(scene);
  assert.deepEqual(
    { state, reason, restarts, pid, ended },
    {
      state: 'ready',
      reason: 'exited 3',
      restarts: 1,
      pid: 1001,
      ended: { what: 'exited 3', at: diedAt, code: 'SERVER_EXITED' },
    },
  );
  await scene.clock.advance(POLICY.settleMs);
  assert.equal(look(scene).reason, undefined, 'forgiven once it has settled');
});

test('exit 0 unasked is a death like any other', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  service.run.end({ asked: false, reason: 'exited 0' });
  await scene.clock.settle();
  assert.deepEqual(service.gaps, [0], 'the first of a row is replaced at once');
  service.run.end({ asked: false, reason: 'exited 0' });
  await scene.clock.settle();
  const { state, code, reason, next } = look(scene);
  assert.deepEqual(
    { state, code, reason, next },
    { state: 'degraded', code: 'SERVER_EXITED', reason: 'exited 0', next: scene.clock.wall() + 500 },
  );
  await scene.clock.advance(500);
  assert.equal(service.runs.length, 3);
});

test('a server that dies 100 ms after each start is started 20 times in 5 minutes at most, and is failing', async () => {
  const { scene, service } = await one(async (run) => {
    scenario.clock.timer(100, () => run.die());
    return run;
  });
  const scenario = scene;
  await using _ = scene;
  service.run.die();
  await scene.clock.advance(300_000);
  assert.ok(service.runs.length <= 20, `${service.runs.length} starts`);
  assert.deepEqual(
    service.gaps,
    service.gaps.toSorted((a, b) => a - b),
    'gaps never shrink',
  );
  const { state, code, reason } = look(scene);
  assert.deepEqual({ state, code, reason }, { state: 'failed', code: 'SERVER_FAILING', reason: 'exited 3' });
  const before = service.runs.length;
  await scene.clock.advance(600_000);
  assert.ok(service.runs.length > before, 'and is still tried');
});

test('a remote server that stays away is told as away for as long, not as one whose command is to be checked', async () => {
  const { scene } = await one(refuse('REMOTE_DOWN', 'ECONNREFUSED'));
  await using _ = scene;
  await scene.clock.advance(300_000);
  const { state, code, reason } = look(scene);
  assert.deepEqual({ state, code, reason }, { state: 'failed', code: 'REMOTE_DOWN', reason: 'ECONNREFUSED' });
});

test('a service that was failing is on probation until its run has settled', async () => {
  const { scene, service } = await one(refuse('SERVER_REFUSED', 'refused its handshake'));
  await using _ = scene;
  await scene.clock.advance(20_000);
  assert.equal(look(scene).state, 'failed');
  service.plan = async (run) => run;
  await scene.clock.advance(60_000);
  assert.deepEqual([look(scene).state, look(scene).code], ['degraded', 'SERVER_FAILING']);
  await scene.clock.advance(POLICY.settleMs);
  assert.deepEqual([look(scene).state, look(scene).code], ['ready', undefined]);
});

test('a missing command is failed at once and tried with growing delays', async () => {
  const { scene, service } = await one(refuse('SERVER_NOT_FOUND', 'command not found: /nonexistent'));
  await using _ = scene;
  const { state, code, reason } = look(scene);
  assert.deepEqual(
    { state, code, reason },
    { state: 'failed', code: 'SERVER_NOT_FOUND', reason: 'command not found: /nonexistent' },
  );
  await scene.clock.advance(3500);
  assert.deepEqual(service.gaps, [500, 1000, 2000]);
  await scene.clock.advance(600_000);
  assert.equal(look(scene).code, 'SERVER_NOT_FOUND', 'the cause stays on show');
});

test('a fault of the settings is tried again only slowly, and is told once', async () => {
  const { scene, service } = await one(refuse('REMOTE_REFUSED', 'HTTP 401'));
  await using _ = scene;
  await scene.clock.advance(180_000);
  assert.deepEqual(service.gaps, [60_000, 60_000, 60_000]);
  assert.deepEqual([look(scene).state, look(scene).code], ['failed', 'REMOTE_REFUSED']);
  assert.equal(scene.lines.length, 1);
});

test('a part that is no server is not spoken of as one', async () => {
  const { scene, service } = await one(async (run) => run, { kind: 'console' });
  await using _ = scene;
  for (let n = 0; n < 2; n++) {
    service.run.end({ asked: false, reason: 'closed' });
    await scene.clock.settle();
  }
  assert.equal(look(scene).code, 'INTERNAL');
  service.plan = () => new Promise((_, reject) => service.signals.at(-1)!.addEventListener('abort', reject));
  await scene.clock.advance(15_500);
  assert.equal(look(scene).code, 'PART_TIMEOUT');
  await scene.clock.advance(600_000);
  assert.equal(look(scene).code, 'PART_TIMEOUT');
});

test('a machine that is short of something fails a server by the ordinary rules, with the cause on show', async () => {
  const { scene, service } = await one(refuse('SERVER_NOT_STARTED', 'cannot start x: EMFILE'));
  await using _ = scene;
  assert.deepEqual([look(scene).state, look(scene).code], ['degraded', 'SERVER_NOT_STARTED']);
  await scene.clock.advance(3500);
  assert.deepEqual(service.gaps, [500, 1000, 2000]);
  await scene.clock.advance(600_000);
  assert.deepEqual([look(scene).state, look(scene).code], ['failed', 'SERVER_NOT_STARTED']);
});

test('a restart and a removal at the same moment leave nothing running', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  await Promise.all([scene.supervisor.restart('files'), scene.supervisor.remove('files')]);
  await scene.clock.advance(60_000);
  assert.ok(service.runs.every((run) => run.disposals > 0));
});

test('a ready run is probed every period, and one that finds no life is replaced', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  await scene.clock.advance(30_000);
  assert.equal(service.run.probes, 3);
  service.run.probe = async () =>
    service.run.end({ asked: false, code: 'SERVER_NO_ANSWER', reason: 'not answering' });
  await scene.clock.advance(10_000);
  assert.equal(service.runs.length, 2);
  assert.equal(look(scene).reason, 'not answering');
});

test('the state is what the run says at the moment of asking, with its proof', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  const proof = { what: 'pong', at: scene.clock.wall() };
  service.run.health = () => ({ state: 'ready', proof });
  assert.deepEqual([look(scene).state, look(scene).proof], ['ready', proof]);
  service.run.health = () => ({ state: 'degraded', code: 'SERVER_NO_ANSWER', proof });
  assert.deepEqual([look(scene).state, look(scene).code], ['degraded', 'SERVER_NO_ANSWER']);
  service.run.health = () => {
    throw new Error('broken');
  };
  assert.deepEqual([look(scene).state, look(scene).code], ['degraded', 'INTERNAL']);
});

test('each change of state is one line in the log', async () => {
  const { scene, service } = await one();
  await using _ = scene;
  await scene.clock.advance(60_000);
  service.run.die();
  await scene.clock.advance(60_000);
  assert.deepEqual(
    scene.lines.map((line) => `${line.level} ${line.service} ${line.event} ${line.reason ?? ''}`),
    [
      'info files ready ',
      'warn files degraded exited 3',
      'info files starting ',
      'info files ready exited 3',
    ],
  );
});

test('a card that stays away fills no log, and is away since it went, not since the last try', async () => {
  let isAway = true;
  const restart = { ...POLICY, maxRestarts: 1000 };
  const { scene, service } = await one(
    async (run) => {
      if (isAway) throw new Fault('AUDIO_MISSING', 'no such card');
      return run;
    },
    { restart },
  );
  await using _ = scene;
  const { since } = look(scene);
  await scene.clock.advance(3_600_000);
  assert.ok(service.runs.length > 50);
  assert.equal(look(scene).since, since);
  isAway = false;
  await scene.clock.advance(60_000);
  service.run.die();
  await scene.clock.settle();
  assert.deepEqual(
    scene.lines.map(({ level, event }) => `${level} ${event}`),
    ['warn degraded', 'info ready', 'warn degraded', 'info starting', 'info ready'],
  );
});
