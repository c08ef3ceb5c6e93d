import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { resetInMidFrame } from '../cloud/faults.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

const servers = { tools: fixture('tools.mjs') };
const MIB = 1024 * 1024;

it('large frames go through whole or are refused with an error, and the line stays', async () => {
  proves('line-odd-input');
  await using cloud = await startCloud({ mode: 'self-hosted' });
  await using _appliance = startAppliance({ verb: 'bridge', cloud, servers });
  const line = await cloud.ready();
  const text = 'あ'.repeat(MIB / 3);
  assert.equal(textOf(await line.session.call('echo', { text })), text);
  for (const bytes of [2 * MIB, 6 * MIB]) {
    const args = { name: 'echo', arguments: { text: 'x'.repeat(bytes) } };
    const reply = await line.request(`large ${bytes}`, 'tools/call', args);
    if (reply.error === undefined) assert.equal(JSON.stringify(reply.result).length > bytes, true);
    else assert.match(reply.error.message, /TOO_LARGE/);
  }
  assert.equal(textOf(await line.session.call('echo', { text: 'small' })), 'small');
  assert.equal(cloud.connections.length, 1);
});

it('a binary frame is read as text, and a line break after a message does no harm', async () => {
  proves('line-odd-input');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ verb: 'bridge', cloud, servers });
  const line = await cloud.ready();
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 'odd', method: 'ping' });
  for (const frame of [Buffer.from(ping), `${ping}\n`, `\r\n ${ping}\r\n`]) {
    const before = line.received.length;
    const answer = line.answerTo('odd');
    line.send(frame);
    assert.deepEqual((await answer).result, {});
    assert.equal(line.received.length, before + 1);
  }
});

it('half a frame before a reset leaves nothing behind for the next line', async () => {
  proves('line-new-session');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ verb: 'bridge', cloud, servers });
  await resetInMidFrame(await cloud.ready());
  await (await cloud.connection(2)).tools();
  assert.equal(textOf(await cloud.call('echo', { text: 'whole' })), 'whole');
});

it('an answer to the dial that is late, missing or no WebSocket is named, and dialling goes on', async () => {
  proves('line-redial');
  await using cloud = await startCloud();
  cloud.nextWelcomes.push(
    { delayMs: Number.POSITIVE_INFINITY },
    { status: 500 },
    { status: 302, location: 'http://127.0.0.1:9/' },
    { delayMs: 200 },
  );
  const settings = `
[endpoint]
dial_timeout_ms = 600
retry_first_ms = 10
retry_max_ms = 20
closed_first_ms = 1000
`;
  await using appliance = startAppliance({ cloud, settings, servers });
  await appliance.untilPart('cloud', ({ code }) => code === 'CLOUD_HTTP');
  await (await cloud.connection(1)).tools();
  assert.equal(cloud.dials.length, 4);
  await appliance.untilPart('cloud', ({ state }) => state === 'ready');
});
