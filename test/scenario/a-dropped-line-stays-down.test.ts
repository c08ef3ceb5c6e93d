import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { freeze } from '../cloud/faults.ts';
import { makeJwt } from '../cloud/token.ts';
import { proves } from '../promises.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';

/** The reconnect table in short: its shape is kept, and the waits of two rows do not overlap. */
const SETTINGS = `
[endpoint]
ping_ms = 100
dead_ms = 400
close_ms = 300
retry_first_ms = 400
retry_max_ms = 800
replaced_first_ms = 1000
replaced_max_ms = 2000
refused_min_ms = 600
refused_max_ms = 900
[bridge]
change_debounce_ms = 100
`;
const servers = { tools: fixture('tools.mjs') };

function start(cloud: Pick<Cloud, 'endpoint'>): Appliance {
  return startAppliance({ cloud, settings: SETTINGS, servers });
}

it('a lost line is dialled at once, five times a minute, then with a wait; once listed the count starts anew', async () => {
  proves('line-redial');
  await using cloud = await startCloud();
  cloud.welcome = { greet: false };
  // Long enough to tell it from a dial at once on a busy machine.
  const settings = '[endpoint]\nretry_first_ms = 2500\nretry_max_ms = 2500\n';
  await using _appliance = startAppliance({ cloud, settings, servers });
  for (let drop = 1; drop <= 6; drop++) {
    if (drop === 6) cloud.welcome = {};
    const gap = await gapAfter(cloud, drop);
    assert.equal(gap < 2500, drop <= 5, `drop ${drop} was followed after ${gap} ms`);
  }
  await (await cloud.connection(7)).tools();
  assert.ok((await gapAfter(cloud, 7)) < 2500, 'the count has started anew');
});

it('1000 means that another program uses the endpoint: it waits long and says so', async () => {
  proves('line-redial');
  await using cloud = await startCloud();
  await using appliance = start(cloud);
  await cloud.ready();
  const { at } = await (await cloud.connection(1)).close(1000, 'replaced by a new connection');
  await appliance.untilPart('cloud', ({ code }) => code === 'REPLACED', 1000);
  assert.ok((await cloud.connection(2)).openedAt - at >= 1000);
});

for (const [how, welcome] of [
  ['HTTP 401', { status: 401 }],
  ['HTTP 403', { status: 403 }],
  ['1008 after the socket has opened', { closeWith: { code: 1008, reason: 'token' } }],
] as const) {
  it(`a key refused by ${how} is tried seldom, and a new endpoint at once`, async () => {
    proves('line-redial');
    await using cloud = await startCloud();
    await using other = await startCloud();
    cloud.welcome = welcome;
    await using appliance = start(cloud);
    await appliance.untilPart('cloud', ({ code }) => code === 'KEY_REFUSED');
    await cloud.expect('a second dial', (event) => event.event === 'dialled' && event.dial === 2);
    const [first = 0, second = 0] = cloud.dials;
    assert.ok(second - first >= 600, `dialled again after ${second - first} ms`);
    appliance.home.writeSettings(SETTINGS, other.endpoint);
    assert.equal((await appliance.cli('reload')).code, 0);
    await other.ready();
    await appliance.untilPart('cloud', ({ state }) => state === 'ready');
  });
}

it('a refused key whose own date is past is called expired', async () => {
  await using cloud = await startCloud({ token: makeJwt(Math.floor(Date.now() / 1000) - 3600) });
  cloud.welcome = { status: 401 };
  await using appliance = start(cloud);
  await appliance.untilPart('cloud', ({ code }) => code === 'KEY_EXPIRED');
});

it('a cloud that does not listen, and one whose name nobody knows, are told apart', async () => {
  await using cloud = await startCloud();
  cloud.stopListening();
  await using appliance = start(cloud);
  await appliance.untilPart('cloud', ({ code }) => code === 'NET_DOWN');
  await cloud.listen();
  await cloud.ready();
  appliance.home.writeSettings(SETTINGS, 'ws://no-such-host.invalid/mcp/?token=x');
  assert.equal((await appliance.cli('reload')).code, 0);
  await appliance.untilPart('cloud', ({ code }) => code === 'NET_NAME');
});

it('a half-open line is found dead, and ended before the next dial', async () => {
  proves('line-half-open', 'line-one-socket');
  await using cloud = await startCloud();
  await using _appliance = start(cloud);
  freeze(await cloud.ready());
  await (await cloud.connection(2)).tools();
});

it('a close that the cloud does not answer is cut before the next dial', async () => {
  proves('line-one-socket');
  await using cloud = await startCloud();
  await using _appliance = startAppliance({
    cloud,
    settings: SETTINGS.replace('dead_ms = 400', 'dead_ms = 60_000'),
    servers: { changing: fixture('changing-list.mjs') },
  });
  const line = await cloud.ready();
  await cloud.call('grow');
  freeze(line);
  const names = (await (await cloud.connection(2)).tools()).map(({ name }) => name);
  assert.deepEqual(names, ['grow', 'shrink', 'extra_1']);
});

/** Cuts connection `number`; ms until the next one is open. */
async function gapAfter(cloud: Cloud, number: number): Promise<number> {
  const { at } = await (await cloud.connection(number)).terminate();
  return (await cloud.connection(number + 1)).openedAt - at;
}
