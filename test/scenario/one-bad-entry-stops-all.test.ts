import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

const GONE = { command: '/nonexistent/program' };

it('a good server serves at once beside one that is missing and one that never answers', async () => {
  proves('settings-one-bad-entry');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    settings: '[servers]\nstart_timeout_ms = 6000\n',
    servers: { gone: GONE, mute: fixture('never-initialize.mjs'), good: fixture('tools.mjs') },
  });
  const began = performance.now();
  assert.equal(textOf(await cloud.call('echo', { text: 'hi' })), 'hi');
  assert.ok(performance.now() - began < 6000, 'before the time of the slow one was over');

  await appliance.untilPart('mute', ({ state }) => state === 'starting', 3000);
  const mute = await appliance.untilPart('mute', ({ code }) => code === 'SERVER_TIMEOUT', 10_000);
  const { state, parts } = await appliance.status();
  assert.equal(state, 'degraded');
  assert.equal(parts.find(({ name }) => name === 'good')?.state, 'ready');
  const gone = parts.find(({ name }) => name === 'gone');
  assert.equal(gone?.state, 'failed');
  assert.equal(gone?.code, 'SERVER_NOT_FOUND');
  assert.match(gone?.reason ?? '', /command not found: \/nonexistent\/program/);
  assert.notEqual(mute.state, 'ready');

  const { code, stdout } = await appliance.cli('status');
  assert.equal(code, 1, 'degraded');
  for (const name of ['gone', 'mute', 'good']) assert.match(stdout, new RegExp(`^.*\\b${name}\\b`, 'm'));
});

it('where every entry is bad the appliance stays up and the status gives each reason', async () => {
  proves('settings-one-bad-entry');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    servers: { one: GONE, two: { command: 'no-such-program' } },
  });
  const tools = await (await cloud.connection(1)).tools();
  assert.deepEqual(tools, []);
  await appliance.untilPart('two', ({ code }) => code === 'SERVER_NOT_FOUND');
  const { code, stdout } = await appliance.cli('status');
  assert.notEqual(code, 0);
  assert.match(stdout, /\/nonexistent\/program/);
  assert.match(stdout, /no-such-program/);
});

it('a files folder that is missing today is named, and used as soon as it is there', async () => {
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, settings: '[files]\nroot = "later"\n' });
  const refused = await cloud.call('list_dir');
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /FILES_NO_ROOT/);
  const folder = join(appliance.home.work, 'later');
  mkdirSync(folder);
  writeFileSync(join(folder, 'note.txt'), 'here');
  assert.match(textOf(await cloud.call('list_dir')), /note\.txt/);
});
