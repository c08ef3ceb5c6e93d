import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';

it('from the second start on the cloud is told the tools before their server is up, and nothing is written', async () => {
  using home = new Home();
  const servers = { slow: fixture('slow-start.mjs', '2500'), quick: fixture('tools.mjs') };
  {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ home, cloud, servers });
    const first = (await (await cloud.connection(1)).tools()).map(({ name }) => name);
    assert.equal(first.includes('late'), false, 'a first list does not wait for a server that is so slow');
    await appliance.untilPart('slow', ({ state }) => state === 'ready');
    await appliance.until('its list on disk', () => filesIn(home.state).length === 2);
  }
  const before = filesIn(home.state);
  await using cloud = await startCloud();
  await using appliance = startAppliance({ home, cloud, servers });
  const names = (await (await cloud.connection(1)).tools()).map(({ name }) => name);
  assert.equal(names.includes('late'), true);
  const isUp = appliance.log.some(({ fields }) => fields.service === 'slow' && fields.event === 'ready');
  assert.equal(isUp, false);
  await appliance.untilPart('slow', ({ state }) => state === 'ready');
  assert.deepEqual(filesIn(home.state), before);
  assert.equal(cloud.connections.length, 1, 'the list was right: no reconnect was due');
});

it('calls write nothing to the disk', async () => {
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud });
  await cloud.expect('all tools', (event) => event.event === 'listed' && event.tools.length === 10);
  await callAll();
  const before = [written(appliance), filesIn(appliance.home.folder)];
  for (let round = 0; round < 70; round++) await callAll();
  assert.deepEqual([written(appliance), filesIn(appliance.home.folder)], before);

  async function callAll(): Promise<void> {
    assert.match(textOf(await cloud.call('calculate', { expression: '1004*328' })), /329312/);
    assert.equal(textOf(await cloud.call('echo', { text: 'hi' })), 'hi');
    assert.equal((await cloud.call('list_dir')).isError ?? false, false);
  }
});

/** Name, time of last change and inode of each file below a folder. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${statSync(path).ino}`)
    .toSorted();
}

/** What the appliance and each of its children have sent to a storage device, by the kernel's count. */
function written(appliance: Appliance): readonly string[] {
  return [appliance.pid, ...appliance.processes().map(({ pid }) => pid)].map((pid) => {
    const bytes = /^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    return `${pid}: ${bytes}`;
  });
}
