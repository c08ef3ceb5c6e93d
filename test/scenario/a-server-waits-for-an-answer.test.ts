import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

it('what a server asks is answered or refused at once', async () => {
  proves('server-habits');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { asks: fixture('asks-client.mjs') } });
  const lines = textOf(await cloud.call('ask', {}, 3000)).split('\n');
  assert.equal(lines.length, 5);
  assert.ok(lines.includes('ping: result'));
  assert.ok(lines.includes('no/such: -32601'));
  assert.match(lines[0] ?? '', /^sampling\/createMessage: -\d+$/);
});

it('a list in pages is read to its end, and one without an end stops', async () => {
  proves('server-habits');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    servers: {
      pages: fixture('paging-list.mjs'),
      endless: fixture('paging-list.mjs', 'loop'),
      tools: fixture('tools.mjs'),
    },
  });
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  const names = (await cloud.tools()).map(({ name }) => name);
  for (let page = 0; page < 10; page++) {
    assert.ok(
      names.some((name) => name === `page_${page}` || name === `pages__page_${page}`),
      names.join(' '),
    );
  }
  assert.ok(names.includes('echo'));
});

it("progress reaches the caller under the caller's own token", async () => {
  proves('server-habits');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { progress: fixture('progress.mjs') } });
  const line = await cloud.ready();
  for (const progressToken of ['mine', 7]) {
    const before = line.received.length;
    await line.session.request('tools/call', { name: 'work', arguments: {}, _meta: { progressToken } });
    const told = line.received
      .slice(before)
      .filter(({ message }) => message?.method === 'notifications/progress');
    assert.deepEqual(
      told.map(({ message }) => message?.params),
      [1, 2, 3].map((progress) => ({ progressToken, progress, total: 3 })),
    );
  }
  const before = line.received.length;
  await cloud.call('work');
  assert.equal(line.received.length - before, 1, 'nobody asked for progress');
});

it('a changed list reaches the cloud by a new line, but not while a call is in flight', async () => {
  proves('server-habits');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({
    cloud,
    settings: '[bridge]\nchange_debounce_ms = 200\n',
    servers: { changing: fixture('changing-list.mjs'), tools: fixture('tools.mjs') },
  });
  const line = await cloud.ready();
  const held = line.session.call('hold', { ms: 1500 });
  await line.session.call('grow');
  assert.equal(textOf(await held), 'held', 'the call in flight was not cut');
  const names = (await (await cloud.connection(2)).tools()).map(({ name }) => name);
  assert.ok(names.includes('extra_1'));
  assert.equal((await line.closed).code, 1000);
});

it('a server that starts slowly is waited for once, and listed by a new line when it is there', async () => {
  proves('server-habits');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    settings: '[bridge]\nlist_wait_ms = 300\nchange_debounce_ms = 100\n',
    servers: { tools: fixture('tools.mjs'), slow: fixture('slow-start.mjs', '1500') },
  });
  const first = (await (await cloud.connection(1)).tools()).map(({ name }) => name);
  assert.ok(first.includes('echo') && !first.includes('late'), first.join(' '));
  const second = (await (await cloud.connection(2)).tools()).map(({ name }) => name);
  assert.ok(second.includes('late'));
  assert.equal(
    appliance.log.some(({ fields }) => fields.level === 'error'),
    false,
  );
});
