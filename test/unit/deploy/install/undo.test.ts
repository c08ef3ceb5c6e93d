import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../../deploy/install/context.ts';
import type { Status } from '../../../../deploy/install/proof/health.ts';
import type { Update } from '../../../../deploy/install/store/record.ts';
import type { Placed } from '../../../../deploy/install/store/store.ts';
import { undo } from '../../../../deploy/install/undo.ts';
import { FakeClock } from '../../fake-clock.ts';

const placed = (version: string, link: string) =>
  ({ version, link, folder: link, from: link === '/factory' ? 'factory' : 'release' }) as Placed;
const GOOD = placed('1.1.0', 'releases/1.1.0');
const FACTORY = placed('1.0.0', '/factory');
const UPDATE = { to: '1.2.0', back: GOOD.link, at: 'then' } as Update;
const AILING = { version: '1.1.0', parts: [{ name: 'files', state: 'failed', code: 'SERVER_EXITED' }] };

/**
 * Undoes an update to 1.2.0; `answers` tells what a look gets at which time, and a missed look takes `missedMs`. Resolves
 * with what is back.
 */
async function undoWhere(answers: (ms: number) => Status | undefined, missedMs = 0): Promise<string> {
  const clock = new FakeClock();
  const glance = async () => {
    const status = answers(clock.now());
    if (!status) await clock.sleep(missedMs);
    return status;
  };
  const context = {
    clock,
    store: {
      places: {},
      at: () => GOOD,
      isBad: () => false,
      read: () => undefined,
      release: () => undefined,
      factory: () => FACTORY,
      undone: () => undefined,
      target: () => undefined,
      setUndone: () => {},
      setUpdate: () => {},
      point: () => {},
    },
    unit: {
      log: async () => [],
      restart: async () => {},
      look: async () => ({ restarts: 0, state: 'activating' }),
    },
    appliance: { glance },
    report: { step: () => {} },
  } as unknown as Context;
  let back: Placed | undefined;
  void undo(context, UPDATE, { check: 'call', reason: 'x' }).then((end) => {
    back = end;
  });
  while (!back && clock.now() < 400_000) await clock.advance(500);
  assert.equal(clock.armed, 0);
  return back?.version ?? 'none';
}

test('a release of before that answers, and only misses the last look, stays', async () => {
  assert.equal(await undoWhere((ms) => (ms < 119_000 ? AILING : undefined)), '1.1.0');
});

test('one that a busy board kept from answering the last two looks, which take their time, stays', async () => {
  assert.equal(await undoWhere((ms) => (ms < 90_000 ? AILING : undefined), 5000), '1.1.0');
});

test('one whose server is started again at the very end, so that looks fail at once, stays', async () => {
  assert.equal(await undoWhere((ms) => (ms < 100_000 ? AILING : undefined)), '1.1.0');
});

test('one that misses every look of the last minute, however few that are, gives way', async () => {
  assert.equal(await undoWhere((ms) => (ms < 70_000 ? AILING : undefined), 5000), '1.0.0');
});

test('one that has fallen silent gives way to that of the factory', async () => {
  assert.equal(await undoWhere((ms) => (ms < 60_000 ? AILING : undefined)), '1.0.0');
});

test('one that never answers does too, also where another version does', async () => {
  assert.equal(await undoWhere(() => undefined), '1.0.0');
  assert.equal(await undoWhere(() => ({ version: '1.2.0', parts: [] })), '1.0.0');
});
