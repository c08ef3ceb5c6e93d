import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

const servers = { tools: fixture('tools.mjs') };

async function counts(cloud: Cloud): Promise<{ calls: number; cancels: number; pid: number }> {
  return JSON.parse(textOf(await cloud.call('count')));
}

it('a call past its deadline gets an error that says so, and its server a cancel', async () => {
  proves('call-deadline');
  await using cloud = await startCloud();
  const settings = '[bridge]\ncall_timeout_ms = 300\n';
  await using _appliance = startAppliance({ cloud, settings, servers });
  const reply = await cloud.request('tools/call', { name: 'hold', arguments: { ms: 60_000 } });
  assert.match(JSON.stringify(reply), /CALL_TIMEOUT/);
  assert.deepEqual({ ...(await counts(cloud)), pid: 0 }, { calls: 2, cancels: 1, pid: 0 });
});

it('a call that the cloud cancels is cancelled at its server and not answered', async () => {
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers });
  const line = await cloud.ready();
  line.request('mine', 'tools/call', { name: 'hold', arguments: { ms: 60_000 } }).catch(() => undefined);
  line.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } });
  assert.equal((await counts(cloud)).cancels, 1);
  assert.equal(
    line.received.some(({ message }) => message?.id === 'mine'),
    false,
  );
});

it('when the line drops, what runs for it is cancelled', async () => {
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers });
  const line = await cloud.ready();
  for (let call = 0; call < 3; call++) line.session.call('hold', { ms: 60_000 }).catch(() => undefined);
  assert.equal((await counts(cloud)).calls, 4);
  await line.terminate();
  await (await cloud.connection(2)).tools();
  assert.equal((await counts(cloud)).cancels, 3);
});

it('16 calls in flight get 16 errors when their server is killed, and the next call a new server', async () => {
  proves('call-once');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers });
  const { pid } = await counts(cloud);
  const line = await cloud.ready();
  const held = Array.from({ length: 16 }, () =>
    line.session.request('tools/call', { name: 'hold', arguments: { ms: 60_000 } }, 3000),
  );
  assert.equal((await counts(cloud)).calls, 18);
  process.kill(pid, 'SIGKILL');
  for (const reply of await Promise.all(held)) assert.match(JSON.stringify(reply.error), /SERVER_DOWN/);
  const after = await counts(cloud);
  assert.notEqual(after.pid, pid);
  assert.equal(after.calls, 1, 'no call was sent a second time');
  assert.equal(line.open, true);
});
