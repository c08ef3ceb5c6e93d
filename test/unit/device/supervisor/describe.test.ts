import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import type { FakeService } from './fake-service.ts';
import { look, one } from './one-part.ts';

/** Refuses the first start; the second one waits until it is told to `come`. */
function lateComer() {
  let come = () => {};
  const here = new Promise<void>((resolve) => {
    come = resolve;
  });
  let starts = 0;
  const plan: FakeService['plan'] = async (run) => {
    if (starts++ === 0) throw new Fault('TERMINAL_MISSING', '/dev/x: no such port');
    await here;
    return run;
  };
  return { plan, come };
}

test('what a part of ours was found to miss stays its state while the next start waits for it', async () => {
  const { plan, come } = lateComer();
  const { scene, service } = await one(plan, { kind: 'terminal' });
  await using _ = scene;
  await scene.clock.advance(1000);
  assert.equal(service.startedAt.length, 2);
  const { state, code, reason } = look(scene);
  assert.deepEqual([state, code, reason], ['degraded', 'TERMINAL_MISSING', '/dev/x: no such port']);
  come();
  await scene.clock.advance(1);
  assert.equal(look(scene).state, 'ready');
});

test('a server that is started again is starting, with the cause of the last try beside it', async () => {
  const { plan, come } = lateComer();
  const { scene } = await one(plan, { kind: 'server' });
  await using _ = scene;
  await scene.clock.advance(1000);
  const { state, code } = look(scene);
  assert.deepEqual([state, code], ['starting', 'TERMINAL_MISSING']);
  come();
  await scene.clock.advance(1);
});
