import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FakeClock } from '../../fake-clock.ts';
import { FakeService, stage } from './fake-service.ts';
import { look } from './one-part.ts';

/** A scene with one server that is ready `ms` after each start, and gives up when asked to. */
async function slow(ms: number, options?: { startMs: number }) {
  let service!: FakeService;
  const scene = await stage((clock) => {
    service = new FakeService(clock, 'files', options);
    service.plan = (run, signal) => ready(clock, ms, signal).then(() => run);
    return [service];
  });
  return { scene, service };
}

function ready(clock: FakeClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    void clock.sleep(ms, signal).then(resolve);
  });
}

test('a server that needs longer than its deadline comes up at a later try, which has more time', async () => {
  const { scene, service } = await slow(50_000);
  await using _ = scene;
  await scene.clock.advance(15_000 + 500 + 30_000 + 1000 + 49_999);
  assert.equal(service.startedAt.length, 3);
  assert.equal(look(scene).state, 'starting');
  await scene.clock.advance(1);
  assert.equal(look(scene).state, 'ready');
});

test('no try has more than a minute, unless the setting says so', async () => {
  const { scene, service } = await slow(3_600_000);
  await using _ = scene;
  await scene.clock.advance(600_000);
  const tries = service.gaps.slice(3, 6);
  for (const ms of tries) assert.ok(ms >= 60_000 && ms <= 120_000, `a try and its pause took ${ms} ms`);
  assert.match(look(scene).reason!, /not ready after 60000 ms/);
});

test('a setting above a minute is what every try has', async () => {
  const { scene, service } = await slow(3_600_000, { startMs: 90_000 });
  await using _ = scene;
  await scene.clock.advance(90_000 + 500 + 90_000);
  assert.equal(service.startedAt.length, 2);
  assert.match(look(scene).reason!, /not ready after 90000 ms/);
});

test('after a run that settled a start has its first time again', async () => {
  const { scene, service } = await slow(20_000);
  await using _ = scene;
  await scene.clock.advance(15_000 + 500 + 20_000);
  assert.equal(look(scene).state, 'ready');
  await scene.clock.advance(10_000);
  service.run.die();
  await scene.clock.advance(15_000);
  assert.match(look(scene).reason!, /not ready after 15000 ms/);
});
