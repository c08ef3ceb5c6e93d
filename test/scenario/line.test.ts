import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeCertificate } from '../cloud/certificate.ts';
import { startCloud } from '../cloud/cloud.ts';
import type { Connection } from '../cloud/connection.ts';
import { freeze, reset, resetInMidFrame } from '../cloud/faults.ts';
import { textOf } from '../cloud/message.ts';
import { makeJwt } from '../cloud/token.ts';
import { dice } from '../dice.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const DROPS = 30;
/** Another one each time; `SEED=… npm test` plays a game again. */
const SEED = Number(process.env.SEED) || 1 + Math.floor(Math.random() * 1_000_000);
const SETTINGS = `
[endpoint]
ping_ms = 100
dead_ms = 1000
close_ms = 200
retry_first_ms = 10
retry_max_ms = 50
closed_first_ms = 500
closed_max_ms = 500
tls_first_ms = 100
tls_max_ms = 200
`;
const servers = { tools: fixture('tools.mjs') };
const HOLD = { name: 'hold', arguments: { ms: 60_000 } };

/** How a line may drop. The cloud itself fails the test when it ever holds two sockets. */
const DROP: Readonly<Record<string, (line: Connection) => unknown>> = {
  reset,
  resetInMidFrame,
  freeze,
  cut: (line) => line.terminate(),
  1001: (line) => line.close(1001),
  1011: (line) => line.close(1011),
  4004: (line) => line.close(4004),
};

it(`over ${DROPS} random drops there are never two sockets, and the tools are there each time (SEED=${SEED})`, async (test) => {
  proves('line-one-socket', 'line-half-open');
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers });
  const roll = dice(SEED);
  const kinds = Object.keys(DROP).filter((kind) => kind !== 'freeze');
  for (let drop = 1; drop <= DROPS; drop++) {
    const line = await cloud.connection(drop);
    if (roll(10) < 7) await line.tools();
    if (roll(2) === 0) line.request('held', 'tools/call', HOLD).catch(() => undefined);
    // A frozen line takes its time to be noticed, so only each tenth is one.
    const kind = drop % 10 === 0 ? 'freeze' : (kinds[roll(kinds.length)] ?? 'cut');
    test.diagnostic(`drop ${drop}: ${kind}`);
    await DROP[kind]?.(line);
  }
  const last = await cloud.connection(DROPS + 1);
  await last.tools();
  assert.equal(textOf(await last.session.call('echo', { text: 'hi' })), 'hi');
  assert.equal((await appliance.status()).parts.find(({ name }) => name === 'tools')?.restarts, 0);
});

it('a certificate that nobody signed is TLS, and with its own CA file the line is ready', async () => {
  proves('line-redial');
  using home = new Home();
  const certificate = makeCertificate();
  await using cloud = await startCloud({ certificate });
  await using appliance = startAppliance({ home, cloud, settings: SETTINGS, servers });
  const part = await appliance.untilPart('cloud', ({ code }) => code === 'TLS');
  assert.match(part.reason ?? '', /^reconnecting, dial failed: DEPTH_ZERO_SELF_SIGNED_CERT$/);
  home.write('ca.pem', certificate.cert);
  home.writeSettings(SETTINGS.replace('[endpoint]', '[endpoint]\nca_file = "ca.pem"'), cloud.endpoint);
  assert.equal((await appliance.cli('reload')).code, 0);
  await appliance.untilPart('cloud', ({ state }) => state === 'ready');

  home.write('ca.pem', makeCertificate().cert);
  const { stdout } = await appliance.cli('reload');
  assert.equal(stdout, 'restarted: cloud\n', 'another certificate in the same file is another setting');
  await appliance.untilPart('cloud', ({ code }) => code === 'TLS');
});

for (const [what, from, until, code] of [
  ['is out of date is TLS', 0, -1000, 'TLS'],
  ['is not valid yet is CLOCK', 3_600_000, 7_200_000, 'CLOCK'],
] as const) {
  it(`a certificate that ${what}`, async () => {
    proves('line-redial');
    using home = new Home();
    const certificate = makeCertificate(from && Date.now() + from, Date.now() + until);
    home.write('ca.pem', certificate.cert);
    await using cloud = await startCloud({ certificate });
    const settings = SETTINGS.replace('[endpoint]', '[endpoint]\nca_file = "ca.pem"');
    await using appliance = startAppliance({ home, cloud, settings, servers });
    await appliance.untilPart('cloud', (part) => part.code === code);
  });
}

it('a key that runs out while the line is up is told, and the line stays', async () => {
  const exp = Math.floor(Date.now() / 1000) + 3;
  await using cloud = await startCloud({ token: makeJwt(exp) });
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers });
  await appliance.untilPart('cloud', ({ state }) => state === 'ready', 3000);
  await appliance.untilPart('cloud', ({ code }) => code === 'KEY_EXPIRED');
  assert.equal(textOf(await cloud.call('echo', { text: 'hi' })), 'hi');
  assert.equal(cloud.dials.length, 1);
});
