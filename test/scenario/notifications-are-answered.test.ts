import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

/** Long enough that an answer would have come, as the field report has it. */
const SILENCE_MS = 500;

it('notifications get no answer, requests exactly one, and the line lives through all of it', async () => {
  proves('line-notifications', 'line-odd-input', 'line-large-list');
  await using cloud = await startCloud();
  cloud.nextWelcomes.push({ greet: false });
  await using _appliance = startAppliance({
    verb: 'bridge',
    cloud,
    servers: { tools: fixture('tools.mjs'), many: fixture('many-tools.mjs', '80', '1024') },
  });
  const line = await cloud.connection(1);

  const early = await line.request(5, 'ping', {}, 1000);
  assert.deepEqual(early.result, {}, 'ping is answered before initialize');

  line.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.deepEqual(await line.listen(SILENCE_MS), []);

  const asRequest = await line.request(7, 'notifications/initialized');
  assert.ok(asRequest.result !== undefined || asRequest.error?.code === -32601);

  line.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  line.send({ jsonrpc: '2.0', method: 'notifications/no-such', params: null });
  line.send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } });
  assert.deepEqual(await line.listen(SILENCE_MS), []);
  const count = await line.request(8, 'tools/call', { name: 'count', arguments: {} });
  assert.equal(JSON.parse(textOf(count.result as never)).calls, 1, 'the call without an id was not run');

  const unknown = await line.request('abc', 'no/such');
  assert.equal(unknown.error?.code, -32601);
  assert.strictEqual(unknown.id, 'abc');

  line.send('not json');
  const bad = await line.expect('-32700', ({ message }) => message?.error?.code === -32700, 1000);
  assert.strictEqual(bad.message?.id, null);
  assert.deepEqual((await line.request(9, 'ping', null)).result, {}, 'the line still lives');
  assert.deepEqual(await line.listen(SILENCE_MS), [], 'nothing was answered twice');

  const list = await line.request(10, 'tools/list', null);
  const names = (list.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  const many = Array.from({ length: 80 }, (_, index) => `tool_${String(index).padStart(2, '0')}`);
  assert.deepEqual(
    names.filter((name) => name.startsWith('tool_')),
    many,
  );
});

it('a batch is answered in single messages, and one that is empty or too long is refused', async () => {
  proves('line-odd-input');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({
    verb: 'bridge',
    cloud,
    servers: { tools: fixture('tools.mjs') },
  });
  const line = await cloud.ready();
  const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
  await line.batch([ping('a'), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(0)]);
  line.send([]);
  line.send(Array.from({ length: 51 }, (_, id) => ping(id)));
  const heard = (await line.listen(SILENCE_MS)).map(({ message }) => message?.error?.code);
  assert.deepEqual(heard, [-32600, -32600]);
});
