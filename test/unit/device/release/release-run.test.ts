import assert from 'node:assert/strict';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installed, UNDONE } from './installed.ts';

test('a change in the store is seen as soon as the system tells of it', async () => {
  using installed = new Installed();
  const releases = installed.releases();
  await using run = await releases.service().start(new AbortController().signal);
  assert.equal(run.health().state, 'ready');
  await changed(installed, () => installed.write('undone.json', UNDONE));
  await until(installed, () => run.health().state === 'degraded');
  await changed(installed, () => installed.remove('undone.json'));
  await until(installed, () => run.health().state === 'ready');
});

test('where the system tells nothing, a slow look finds it', async () => {
  using installed = new Installed();
  const releases = installed.releases();
  installed.remove('.');
  await using run = await releases.service().start(new AbortController().signal);
  installed.write('undone.json', UNDONE);
  await installed.clock.advance(29_000);
  assert.equal(run.health().state, 'ready');
  await installed.clock.advance(1000);
  assert.equal(run.health().state, 'degraded');
  await changed(installed, () => installed.remove('undone.json'));
  await until(installed, () => run.health().state === 'ready');
});

test('one that has ended looks no more', async () => {
  using installed = new Installed();
  const releases = installed.releases();
  const run = await releases.service().start(new AbortController().signal);
  await run[Symbol.asyncDispose]();
  await run[Symbol.asyncDispose]();
  assert.deepEqual(await run.ended, { asked: true, reason: 'stopped' });
  installed.write('undone.json', UNDONE);
  await installed.clock.advance(3_600_000);
  assert.equal(releases.undone, undefined);
});

/** Does something to the store, and waits until the system has told of it. */
async function changed(installed: Installed, change: () => void): Promise<void> {
  const watcher = watch(installed.places.store);
  const told = once(watcher, 'change');
  change();
  await told;
  watcher.close();
}

/** Turns the hands on by less than a slow look would take in all. */
async function until(installed: Installed, holds: () => boolean): Promise<void> {
  for (let n = 0; n < 100 && !holds(); n++) {
    await sleep(5);
    await installed.clock.advance(50);
  }
  assert.ok(holds());
}
