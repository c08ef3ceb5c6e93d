import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monitorService } from '#kernel/monitor.ts';

const READY = { state: 'ready' } as const;

test('a monitor looks from its start to its stop, and was asked to end', async () => {
  let looking = 0;
  const service = monitorService({
    name: 'card',
    kind: 'release',
    watch: () => {
      looking += 1;
      return {
        [Symbol.dispose]: () => {
          looking -= 1;
        },
      };
    },
    health: () => READY,
  });
  assert.equal(looking, 0);
  const run = await service.start(new AbortController().signal);
  assert.equal(looking, 1);
  assert.deepEqual(run.health(), READY);
  await run[Symbol.asyncDispose]();
  assert.equal(looking, 0);
  assert.deepEqual(await run.ended, { asked: true, reason: 'stopped' });
});

test('a monitor that is only told ends as well', async () => {
  const service = monitorService({
    name: 'told',
    kind: 'config',
    watch: () => undefined,
    health: () => READY,
  });
  const run = await service.start(new AbortController().signal);
  await run[Symbol.asyncDispose]();
  assert.equal((await run.ended).asked, true);
});

test('what a monitor watches can be started again after a stop', async () => {
  let starts = 0;
  const service = monitorService({
    name: 'card',
    kind: 'network',
    watch: () => {
      starts += 1;
      return undefined;
    },
    health: () => READY,
  });
  for (let life = 0; life < 2; life += 1) {
    const run = await service.start(new AbortController().signal);
    await run[Symbol.asyncDispose]();
  }
  assert.equal(starts, 2);
});
