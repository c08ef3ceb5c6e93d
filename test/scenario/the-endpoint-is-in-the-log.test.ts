import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeCertificate } from '../cloud/certificate.ts';
import { type CloudOptions, startCloud } from '../cloud/cloud.ts';
import { reset } from '../cloud/faults.ts';
import { proves } from '../promises.ts';
import { aivoice } from './aivoice.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';
import { environmentOf } from './processes.ts';
import { runProgram } from './program.ts';

const CRASH = join(import.meta.dirname, '..', 'fixtures', 'crash.ts');

/** As it stands in the endpoint: `CANARY%2BtOk3n%3D`. */
const TOKEN = 'CANARY+tOk3n=';
const FAST = `
log_level = "debug"
[endpoint]
retry_first_ms = 10
retry_max_ms = 20
refused_min_ms = 10
refused_max_ms = 20
tls_first_ms = 10
tls_max_ms = 20
`;

const COMMANDS = [
  ['status'],
  ['status', '--json'],
  ['logs'],
  ['tools'],
  ['call', 'echo', '{"text":"hi"}'],
  ['call', 'no_such', '{}'],
  ['config', 'show'],
  ['config', 'check'],
  ['config', 'path'],
  ['version'],
];

it('in the life of `run`, with every trouble of the line, the key shows nowhere', async () => {
  proves('secret-endpoint');
  await using cloud = await startCloud({ token: TOKEN });
  cloud.nextWelcomes.push(
    { status: 401 },
    { status: 302, location: cloud.endpoint },
    { status: 500 },
    { reset: true },
  );
  await using appliance = startAppliance({ cloud, settings: FAST, servers: { tools: fixture('tools.mjs') } });
  for (let round = 1; round <= 10; round++) {
    await (await cloud.connection(round)).tools();
    await reset(await cloud.ready());
  }
  cloud.nextWelcomes.push({ closeWith: { code: 1008, reason: `bad token ${TOKEN}` } });
  await reset(await cloud.ready());
  await cloud.ready();
  await expectNoKey(appliance);
});

it('neither does it where the certificate cannot be trusted', async () => {
  proves('secret-endpoint');
  await using cloud = await startCloud({ token: TOKEN, certificate: makeCertificate() });
  await using appliance = startAppliance({ cloud, settings: FAST, servers: { tools: fixture('tools.mjs') } });
  await appliance.untilPart('cloud', ({ code }) => code === 'TLS');
  await expectNoKey(appliance);
});

it('in the life of `bridge` its children do not get the key that it was given', async () => {
  proves('secret-endpoint');
  await using cloud = await startCloud({ token: TOKEN });
  await using appliance = startAppliance({
    verb: 'bridge',
    cloud,
    settings: 'log_level = "debug"',
    servers: { tools: fixture('tools.mjs') },
  });
  const { content } = await cloud.call('environment');
  const names = Object.keys(JSON.parse(content[0]?.text ?? ''));
  // PWD is set by the shell that guards a program of others.
  assert.deepEqual(
    names.filter((name) => !['HOME', 'LANG', 'PATH', 'TZ', 'PWD'].includes(name)),
    [],
  );
  await reset(await cloud.ready());
  await cloud.connection(2);
  await expectNoKey(appliance, []);
});

it('no verb of config prints it, whatever file it stands in and however broken that is', async () => {
  proves('secret-endpoint');
  using home = new Home();
  const address = 'wss://mock/mcp/?token=CANARY%2BtOk3n%3D';
  const files = {
    'good.toml': `[endpoint]\nurl = "${address}"\n`,
    'open.toml': `[endpoint]\nurl = "${address}\n`,
    'bare.toml': `[endpoint]\nurl = ${address}\n`,
    'http.toml': `[endpoint]\nurl = "${address.replace('wss', 'https')}"\n`,
    'near.toml': `[endpiont]\nurl = "${address}"\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    home.write(name, text);
    for (const verb of ['check', 'show', 'path']) {
      const args = ['config', verb, '--config', name];
      const { stdout, stderr } = await aivoice(home, args, { env: { MCP_ENDPOINT: address } });
      assert.doesNotMatch(stdout + stderr, /CANARY|tOk3n/);
      if (name === 'good.toml' && verb === 'show')
        assert.match(stdout, /^url = "wss:\/\/mock\/mcp\/\?token=\*\*\*[0-9a-f]{4}"$/m);
    }
  }
});

it('nor where the owner pasted the endpoint into the command of a server', async () => {
  proves('secret-endpoint');
  await using cloud = await startCloud({ token: TOKEN });
  await using appliance = startAppliance({
    cloud,
    settings: FAST,
    servers: {
      tools: fixture('tools.mjs'),
      pasted: { command: cloud.endpoint },
      folder: { ...fixture('tools.mjs'), cwd: `/${cloud.endpoint}` },
    },
  });
  await appliance.untilPart('pasted', ({ state }) => state === 'failed');
  const { parts } = await appliance.status();
  assert.match(JSON.stringify(parts), /token=\*\*\*/, 'the reason is told, without the key');
  await expectNoKey(appliance, [...COMMANDS, ['restart', 'pasted'], ['reload'], ['restart', cloud.endpoint]]);
});

for (const how of ['exception', 'rejection']) {
  it(`nor in the last words of a program that dies of an ${how} that holds the endpoint`, async () => {
    proves('secret-endpoint');
    using home = new Home();
    const endpoint = `ws://127.0.0.1:9/mcp/?token=${encodeURIComponent(TOKEN)}`;
    const place = { cwd: home.work, env: { ...home.env, MCP_ENDPOINT: endpoint } };
    const { code, stdout, stderr } = await runProgram([CRASH, how], place);
    assert.deepEqual([code, stdout], [1, '']);
    const { event, message, errno, stack } = JSON.parse(stderr);
    assert.deepEqual([event, errno], ['crash', 'ETEST']);
    for (const text of [message, stack]) assert.match(text, /cannot open ws:|crash\.ts/);
    for (const form of FORMS) assert.equal(stderr.includes(form), false, `${form} in ${stderr}`);
  });
}

it('two keys can be told apart in the log by the host and a fingerprint', async () => {
  const prints = new Set<string>();
  for (const token of [TOKEN, `${TOKEN}2`]) {
    const options: CloudOptions = { token };
    await using cloud = await startCloud(options);
    await using appliance = startAppliance({ cloud, servers: { tools: fixture('tools.mjs') } });
    const line = await appliance.logged('the endpoint', ({ text }) => text.includes('127.0.0.1'));
    const print = /token=\W*([0-9a-z]{4})\W/i.exec(line.text)?.[1];
    assert.ok(print, line.text);
    prints.add(print);
    await cloud.ready();
  }
  assert.equal(prints.size, 2);
});

/** What the owner wrote, key and all. */
const OWN_FILES = ['appliance.toml', 'mcp_settings.json'];

/** Looks through everything that the appliance has said and written, and through what its children were given. */
async function expectNoKey(appliance: Appliance, commands: readonly string[][] = COMMANDS): Promise<void> {
  const places = new Map<string, string>();
  for (const args of commands) {
    const { stdout, stderr } = await appliance.cli(...args);
    places.set(`output of ${args.join(' ')}`, stdout + stderr);
  }
  places.set('the log', appliance.log.map(({ text }) => text).join('\n'));
  places.set('stdout', appliance.stdout.join('\n'));
  for (const { pid, command } of appliance.processes()) {
    places.set(`command line of ${pid}`, command);
    places.set(`environment of ${pid}`, environmentOf(pid).join('\n'));
  }
  places.set('its own command line', readFileSync(`/proc/${appliance.pid}/cmdline`, 'utf8'));
  for (const file of readdirSync(appliance.home.folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !OWN_FILES.includes(file.name)) places.set(path, readFileSync(path, 'latin1'));
  }
  assert.ok((places.get('the log') ?? '').length > 100);
  for (const [place, text] of places) {
    for (const form of FORMS)
      assert.equal(text.replace(/\s/g, '').includes(form), false, `${form} in ${place}: ${text}`);
  }
}

/** The key raw and decoded, and its base64 at each of the three alignments. */
const FORMS = [
  'CANARY',
  'tOk3n',
  ...[0, 1, 2].map((shift) =>
    Buffer.from(`${'?'.repeat(shift)}${TOKEN}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  ),
];
