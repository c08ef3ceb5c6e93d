import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { freeze } from '../cloud/faults.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { aivoice, Command } from './aivoice.ts';
import { fixture, startAppliance } from './appliance.ts';
import { Home, type ServerEntry } from './home.ts';

/** The appliance promises less; this is only the end of patience on a busy machine. */
const PATIENCE_MS = 5000;

const SERVERS: Record<string, Record<string, ServerEntry> | undefined> = {
  'the built-in servers': undefined,
  'a server that ends with its input': { tools: fixture('tools.mjs') },
  'a server deaf to its input and to SIGTERM': { deaf: fixture('hang-on-stop.mjs') },
  'a server that never finished its handshake': { mute: fixture('never-initialize.mjs') },
  'a server that waits for its next start': { gone: fixture('crash-at-start.mjs', '0') },
  'no server at all': {},
};

describe('asked to stop, the appliance ends with 0 and leaves nothing behind', () => {
  for (const [what, servers] of Object.entries(SERVERS)) {
    it(`with ${what}`, async (test) => {
      proves('life-stop', 'life-no-leftovers');
      await using cloud = await startCloud();
      await using appliance = startAppliance({ cloud, ...(servers && { servers }) });
      await cloud.ready();
      await appliance.untilPart('control', ({ state }) => state === 'ready');
      const { code, ms } = await appliance.stop();
      test.diagnostic(`gone after ${Math.round(ms)} ms`);
      assert.equal(code, 0);
      assert.ok(ms < PATIENCE_MS);
      assert.deepEqual(await appliance.leftovers(100), []);
    });
  }

  it('with a cloud that answers no close, and a call under way', async (test) => {
    proves('life-stop', 'life-no-leftovers');
    await using cloud = await startCloud({ tolerant: true });
    await using appliance = startAppliance({ cloud, servers: { tools: fixture('tools.mjs') } });
    const line = await cloud.ready();
    line.request('held', 'tools/call', { name: 'hold', arguments: { ms: 60_000 } }).catch(() => undefined);
    await appliance.until('the call', ({ counters }) => counters.calls === 1);
    freeze(line);
    const { code, ms } = await appliance.stop();
    test.diagnostic(`gone after ${Math.round(ms)} ms`);
    assert.equal(code, 0);
    assert.ok(ms < PATIENCE_MS);
  });
});

it('a second appliance in the same place ends with 1 and ALREADY_RUNNING, and the first one goes on', async () => {
  await using cloud = await startCloud();
  await using first = startAppliance({ cloud, servers: { tools: fixture('tools.mjs') } });
  await first.until('ready', ({ state }) => state === 'ready');
  const before = first.processes().map(({ pid }) => pid);
  const second = await aivoice(first.home, ['run']);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /"code":"ALREADY_RUNNING"/);
  assert.equal(textOf(await cloud.call('echo', { text: 'hi' })), 'hi');
  assert.equal((await first.cli('status')).code, 0);
  assert.deepEqual(
    first.processes().map(({ pid }) => pid),
    before,
  );
  assert.equal(cloud.dials.length, 1, 'the second one has not dialled');
});

it('after SIGKILL the next appliance takes the place of the dead one', async () => {
  using home = new Home();
  const servers = { tools: fixture('tools.mjs') };
  await using dead = startAppliance({ home, servers });
  await dead.untilPart('tools', ({ state }) => state === 'ready');
  process.kill(dead.pid, 'SIGKILL');
  assert.deepEqual(await dead.leftovers(PATIENCE_MS), []);
  assert.equal((await dead.cli('status')).code, 3);
  await using next = startAppliance({ home, servers });
  await next.untilPart('tools', ({ state }) => state === 'ready');
});

it('who follows the log gets it to its end, and ends with 0', async () => {
  await using appliance = startAppliance({ servers: { tools: fixture('tools.mjs') } });
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  await using logs = new Command(appliance.home, ['logs', '-f']);
  await logs.stdout.expect('its first lines', () => true, PATIENCE_MS);
  await appliance.stop();
  const { code, stdout, stderr } = await logs.output();
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /"service":"tools","event":"stopped"/);
});
