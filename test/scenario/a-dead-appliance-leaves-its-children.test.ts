import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';
import type { ServerEntry } from './home.ts';

/** A server of others: below a shell, with a grandchild, and deaf to every polite end. */
function stubborn(): ServerEntry {
  const { command, args = [] } = fixture('hang-on-stop.mjs');
  return { command: 'sh', args: ['-c', `sleep 1000 & exec '${command}' '${args[0]}'`], async: 'off' };
}

it('after SIGKILL the built-in servers are gone within 1 s', async () => {
  proves('life-no-leftovers');
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud });
  await cloud.expect('all tools', (event) => event.event === 'listed' && event.tools.length === 10);
  process.kill(appliance.pid, 'SIGKILL');
  assert.deepEqual(await appliance.leftovers(1000), []);
});

for (const verb of ['run', 'bridge'] as const) {
  it(`after SIGKILL of \`${verb}\` a server of others is gone within 3 s, grandchildren included`, async () => {
    proves('life-no-leftovers');
    await using cloud = await startCloud();
    await using appliance = startAppliance({ verb, cloud, servers: { stubborn: stubborn() } });
    await cloud.expect('its tool', (event) => event.event === 'listed' && event.tools.length === 1);
    process.kill(appliance.pid, 'SIGKILL');
    assert.deepEqual(await appliance.leftovers(3000), []);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`\`${verb}\` asked to stop by ${signal} ends with 0 within 3 s, also where a server does not want to`, async () => {
      proves('life-stop');
      await using cloud = await startCloud();
      const servers = { stubborn: stubborn(), tools: fixture('tools.mjs') };
      await using appliance = startAppliance({ verb, cloud, servers });
      await cloud.expect('all tools', (event) => event.event === 'listed' && event.tools.length === 8);
      const { code, ms } = await appliance.stop(signal);
      assert.equal(code, 0);
      assert.ok(ms < 3000, `it took ${ms} ms`);
      assert.deepEqual(await appliance.leftovers(100), []);
      const { code: last, by } = await (await cloud.connection(1)).closed;
      assert.deepEqual([last, by], [1000, 'appliance'], 'the line was closed politely');
    });
  }
}
