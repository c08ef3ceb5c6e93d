import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { fixture, startAppliance } from './appliance.ts';

it('a server that needs longer than the time for a start comes up at a later try', async () => {
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    settings:
      '[servers]\nstart_timeout_ms = 400\n[restart]\nfirst_ms = 10\nmax_ms = 20\nmax_restarts = 100\n',
    servers: { slow: fixture('slow-start.mjs', '1500') },
  });
  await appliance.untilPart('slow', ({ code }) => code === 'SERVER_TIMEOUT', 10_000);
  await appliance.untilPart('slow', ({ state }) => state === 'ready', 60_000);
});
