import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeCertificate } from '../../cloud/certificate.ts';
import { type Cloud, startCloud } from '../../cloud/cloud.ts';
import { textOf } from '../../cloud/message.ts';
import { proves } from '../../promises.ts';
import { fixture, startAppliance } from '../appliance.ts';
import { startOfficial } from './official.ts';

const KEY = 'k3y-of-the-remote-server';
const SETTINGS = `
[restart]
first_ms = 20
max_ms = 200
[bridge]
change_debounce_ms = 20
result_budget = "off"
`;

for (const type of ['http', 'sse'] as const) {
  it(`a server behind ${type} is listed, called, cancelled and heard of, with its headers on every request`, async () => {
    proves('remote-server');
    await using remote = await startOfficial(type);
    await using cloud = await startCloud();
    const entry = {
      type,
      url: `${remote.url}?key=${KEY}`,
      headers: { Authorization: `Bearer ${KEY}` },
      async: 'off',
    };
    await using appliance = startAppliance({ cloud, settings: SETTINGS, servers: { far: entry } });
    assert.deepEqual(
      (await cloud.tools()).map(({ name }) => name),
      ['echo', 'blob', 'hold'],
    );
    assert.equal(textOf(await cloud.call('echo', { text: 'やあ\n{"a":1}' })), 'やあ\n{"a":1}');
    assert.equal(textOf(await cloud.call('blob', { bytes: 2_000_000 }))?.length, 2_000_000);
    await progressComes(cloud);

    const line = await cloud.ready();
    line.request('gone', 'tools/call', { name: 'hold', arguments: { ms: 60_000 } }).catch(() => undefined);
    line.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'gone' } });
    while (remote.cancels() === 0) await cloud.call('echo', { text: '' });

    await remote.grow('late');
    await cloud.expect(
      'a list with the new tool',
      (event) => event.event === 'listed' && event.tools.some(({ name }) => name === 'late'),
    );
    assert.ok(remote.web.seen.length > 5);
    assert.ok(remote.web.seen.some(({ method }) => method === 'GET'));
    for (const { headers } of remote.web.seen) assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(remote.sessions(), 1);
    const told = appliance.log.map(({ text }) => text).join('\n') + JSON.stringify(await appliance.status());
    assert.doesNotMatch(told, new RegExp(KEY));
  });

  it(`a server behind ${type} that is taken away refuses at once, and is back by itself`, async () => {
    proves('remote-away');
    await using remote = await startOfficial(type);
    await using cloud = await startCloud();
    const servers = { near: fixture('tools.mjs', 'near_'), far: { type, url: remote.url } };
    await using appliance = startAppliance({ cloud, settings: SETTINGS, servers });
    assert.equal(textOf(await cloud.call('echo', { text: 'there' })), 'there');
    await remote.web.down();
    await appliance.untilPart('far', ({ code }) => code === 'REMOTE_DOWN');
    const ms: number[] = [];
    for (let n = 0; n < 20; n++) {
      const from = performance.now();
      const { error } = await cloud.request('tools/call', { name: 'echo', arguments: {} });
      ms.push(performance.now() - from);
      assert.match(JSON.stringify(error), /REMOTE_DOWN|SERVER_DOWN/);
      assert.match(JSON.stringify(error), /ECONNREFUSED|stream/);
      assert.equal(textOf(await cloud.call('near_echo', { text: 'near' })), 'near');
    }
    assert.ok(ms.sort((a, b) => a - b)[10]! < 50, `median ${ms[10]} ms`);
    await remote.web.up();
    remote.forget();
    await appliance.untilPart('far', ({ state }) => state === 'ready');
    assert.equal(textOf(await cloud.call('echo', { text: 'again' })), 'again');
  });

  it(`a session that the server behind ${type} forgot is made anew`, async () => {
    await using remote = await startOfficial(type);
    await using cloud = await startCloud();
    await using appliance = startAppliance({
      cloud,
      settings: SETTINGS,
      servers: { far: { type, url: remote.url } },
    });
    await cloud.call('echo', { text: '' });
    remote.forget();
    const { error } = await cloud.request('tools/call', { name: 'echo', arguments: {} });
    assert.match(JSON.stringify(error), /REMOTE_EXPIRED/);
    assert.equal(textOf(await cloud.call('echo', { text: 'again' })), 'again');
    assert.equal(remote.sessions(), 2);
    await appliance.untilPart('far', ({ state }) => state === 'ready');
  });
}

it('a certificate of an own authority is trusted where caFile or servers.ca_file names it, and nowhere else', async () => {
  const certificate = makeCertificate();
  await using remote = await startOfficial('http', certificate);
  await using cloud = await startCloud();
  const entry = { type: 'http', url: remote.url };
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers: { far: entry } });
  await appliance.untilPart('far', ({ code }) => code === 'REMOTE_TLS');
  assert.equal(remote.web.seen.length, 0);
  appliance.home.write('ca.pem', certificate.cert);
  appliance.home.writeServers({ far: { ...entry, caFile: 'ca.pem' } });
  assert.equal((await appliance.cli('reload')).code, 0);
  await appliance.untilPart('far', ({ state }) => state === 'ready');

  await using other = await startCloud();
  const settings = `${SETTINGS}[servers]\nca_file = ${JSON.stringify(join(appliance.home.work, 'ca.pem'))}\n`;
  await using second = startAppliance({ cloud: other, settings, servers: { far: entry } });
  await second.untilPart('far', ({ state }) => state === 'ready');
});

it('a server that is switched off is left alone', async () => {
  await using remote = await startOfficial('http');
  await using cloud = await startCloud();
  const servers = { near: fixture('tools.mjs'), far: { url: remote.url, disabled: true } };
  await using _appliance = startAppliance({ cloud, settings: SETTINGS, servers });
  assert.equal(textOf(await cloud.call('echo', { text: 'near' })), 'near');
  assert.equal(remote.web.seen.length, 0);
});

it('tools are offered as their owner chose them', async () => {
  proves('tool-choice');
  await using remote = await startOfficial('http');
  await using cloud = await startCloud();
  const far = {
    url: remote.url,
    async: 'off',
    tools: { exclude: ['blob', 'nothing'], rename: { echo: 'say' } },
  };
  const near = { ...fixture('tools.mjs'), async: 'off', tools: { include: ['echo', 'add'] } };
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers: { far, near } });
  await appliance.untilPart('far', ({ state }) => state === 'ready');
  await appliance.untilPart('near', ({ state }) => state === 'ready');
  assert.deepEqual((await cloud.tools()).map(({ name }) => name).sort(), ['add', 'echo', 'hold', 'say']);
  assert.equal(textOf(await cloud.call('say', { text: 'far' })), 'far');
  assert.equal(textOf(await cloud.call('echo', { text: 'near' })), 'near');
  assert.match(JSON.stringify(await cloud.request('tools/call', { name: 'blob' })), /TOOL_UNKNOWN/);
  await appliance.logged('the name that is none', ({ text }) =>
    /tools_chosen_but_unknown.*nothing/.test(text),
  );
});

async function progressComes(cloud: Cloud): Promise<void> {
  const line = await cloud.ready();
  const params = { name: 'hold', arguments: { ms: 100 }, _meta: { progressToken: 'p' } };
  await line.session.request('tools/call', params);
  const told = line.received.filter(({ message }) => message?.method === 'notifications/progress');
  assert.ok(told.length >= 2);
  assert.match(JSON.stringify(told[0]?.message), /"progressToken":"p"/);
}
