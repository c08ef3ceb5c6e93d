import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { fixture, startAppliance } from './appliance.ts';

it('a control socket that is taken away with its folder is made anew, and nothing else is touched', async () => {
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, servers: { tools: fixture('tools.mjs') } });
  const before = await appliance.until('ready', ({ state }) => state === 'ready');
  rmSync(join(appliance.home.env.XDG_RUNTIME_DIR ?? '', 'aivoice'), { recursive: true });
  assert.equal((await appliance.cli('status')).code, 3);
  // The socket is looked for every 5 s.
  const after = await appliance.until('ready again', ({ state }) => state === 'ready', 15_000);
  const pidOf = (status: typeof before) => status.parts.find(({ name }) => name === 'tools')?.pid;
  assert.equal(pidOf(after), pidOf(before));
  assert.equal(cloud.dials.length, 1);
});
