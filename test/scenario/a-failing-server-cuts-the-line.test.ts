import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { proves } from '../promises.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';

/** A hundredth of the usual times, and a line that is renewed as soon as its list is stale. */
const SETTINGS = `
[restart]
first_ms = 10
max_ms = 600
settle_ms = 3000
max_restarts = 2
window_ms = 60_000
[bridge]
change_debounce_ms = 20
`;

it('a server that dies at each try is withdrawn once, and is back once it is mended', async () => {
  proves('server-failing', 'line-local-fault');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    settings: SETTINGS,
    servers: { good: fixture('tools.mjs'), bad: fixture('crash-at-start.mjs', '150', 'starts.txt') },
  });
  await appliance.untilPart('bad', ({ code }) => code === 'SERVER_FAILING');
  await cloud.expect(
    'a list without its tool',
    (event) => event.event === 'listed' && !event.tools.some(({ name }) => name === 'fragile'),
  );
  const before = cloud.connections.length;
  const starts = startsOf(appliance);
  await appliance.untilPart('bad', () => startsOf(appliance) >= starts + 5, 15_000);
  assert.equal(cloud.connections.length, before, 'five more deaths leave the line alone');
  assert.ok(before <= 2, `${before} connections`);

  appliance.home.writeServers({ good: fixture('tools.mjs'), bad: fixture('tools.mjs', 'mended_') });
  assert.equal((await appliance.cli('restart', 'bad')).code, 0);
  await cloud.expect(
    'a list with its tools again',
    (event) => event.event === 'listed' && event.tools.some(({ name }) => name === 'mended_echo'),
  );
});

it('a program that appears later brings its tools', async () => {
  await using cloud = await startCloud();
  const settings = SETTINGS.replace('max_restarts = 2', 'max_restarts = 1000');
  await using appliance = startAppliance({
    cloud,
    settings,
    servers: { good: fixture('tools.mjs'), late: { command: './late' } },
  });
  await appliance.untilPart('late', ({ code }) => code === 'SERVER_NOT_FOUND');
  const { command, args } = fixture('tools.mjs', 'late_');
  appliance.home.write('late', `#!/bin/sh\nexec ${[command, ...(args ?? [])].join(' ')}\n`, 0o700);
  await cloud.expect(
    'a list with its tools',
    (event) => event.event === 'listed' && event.tools.some(({ name }) => name === 'late_echo'),
  );
  await appliance.untilPart('late', ({ state }) => state === 'ready');
});

function startsOf(appliance: Appliance): number {
  return readFileSync(join(appliance.home.work, 'starts.txt'), 'utf8').trim().split('\n').length;
}
