import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixture, startAppliance } from './appliance.ts';

it('a server that is given 5 s to end, and is deaf, has no second process beside it at a restart', async () => {
  const settings = '[servers]\nstop_eof_ms = 5000\nstop_term_ms = 200\n';
  await using appliance = startAppliance({ settings, servers: { deaf: fixture('hang-on-stop.mjs') } });
  const first = await appliance.untilPart('deaf', ({ state }) => state === 'ready');
  // What guards it has its command line too, behind a shell's.
  const alive = () =>
    appliance.processes().filter(({ command }) => /^\S*node\S* \S*hang-on-stop/.test(command));
  let most = 0;
  let over = false;
  const restarting = appliance.cli('restart', 'deaf').finally(() => {
    over = true;
  });
  while (!over) {
    most = Math.max(most, alive().length);
    await sleep(20);
  }
  assert.equal((await restarting).code, 0);
  assert.equal(most, 1);
  const second = await appliance.untilPart('deaf', ({ state }) => state === 'ready');
  assert.notEqual(second.pid, first.pid);
  assert.equal(alive().length, 1);
  const late = appliance.log.filter(({ fields }) => fields.event === 'stop_late');
  assert.deepEqual(late, [], 'within what its settings give it');
  // Another 5 s for a stop in order would show nothing more.
  process.kill(appliance.pid, 'SIGKILL');
  assert.deepEqual(await appliance.leftovers(5000), []);
});
