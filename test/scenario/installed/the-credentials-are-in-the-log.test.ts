import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { proves } from '../../promises.ts';
import { type Appliance, fixture, startAppliance } from '../appliance.ts';
import { environmentOf } from '../processes.ts';
import { answerTo, freshQuestion, setTalk } from '../voice/talk.ts';

const TOKEN = 'CANARY+tOk3n=';
const VOICE_TOKEN = 'CANARYv0ice';
const COMMANDS = [
  ['status'],
  ['status', '--json'],
  ['logs'],
  ['config', 'show'],
  ['config', 'check'],
  ['tools'],
];

it('the keys that systemd hands over are used, and show nowhere else', async () => {
  proves('secret-endpoint', 'voice-secret');
  using credentials = folder();
  await using stage = await setTalk({
    started: false,
    terminal: false,
    tools: { token: TOKEN },
    voice: { token: VOICE_TOKEN },
    settings: { endpoint: { url: undefined }, voice: { token: undefined } },
  });
  assert.doesNotMatch(stage.settings, /CANARY/);
  writeFileSync(join(credentials.path, 'endpoint'), `${stage.cloud.endpoint}\n`, { mode: 0o400 });
  writeFileSync(join(credentials.path, 'voice-token'), VOICE_TOKEN, { mode: 0o400 });
  await using appliance = startAppliance({
    settings: `log_level = "debug"\n${stage.settings}`,
    servers: { tools: fixture('tools.mjs') },
    env: { ...stage.card.env, CREDENTIALS_DIRECTORY: credentials.path },
  });
  await appliance.untilPart('voice', ({ state }) => state === 'ready');
  await stage.cloud.tools();
  const question = freshQuestion();
  const { stdout } = await appliance.cli('say', question);
  assert.equal(stdout, `${answerTo(question)}\n`);
  const { content } = await stage.cloud.call('environment');
  assert.equal('CREDENTIALS_DIRECTORY' in JSON.parse(content[0]?.text ?? '{}'), false);
  await expectNoKey(appliance);
});

/** Looks through all that the appliance has said and written, and through what its children were given. */
async function expectNoKey(appliance: Appliance): Promise<void> {
  const places = new Map<string, string>();
  const children = appliance.processes();
  assert.ok(children.length > 0);
  for (const { pid, command } of children) {
    const environment = environmentOf(pid).join('\n');
    assert.doesNotMatch(environment, /CREDENTIALS_DIRECTORY/, command);
    places.set(`command line of ${pid}`, command);
    places.set(`environment of ${pid}`, environment);
  }
  places.set('its own command line', readFileSync(`/proc/${appliance.pid}/cmdline`, 'utf8'));
  for (const args of COMMANDS) {
    const { stdout, stderr } = await appliance.cli(...args);
    places.set(`output of ${args.join(' ')}`, stdout + stderr);
  }
  places.set('the log', appliance.log.map(({ text }) => text).join('\n'));
  for (const file of readdirSync(appliance.home.folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) places.set(path, readFileSync(path, 'latin1'));
  }
  assert.ok((places.get('the log') ?? '').length > 100);
  for (const [place, text] of places) assert.doesNotMatch(text, /CANARY|tOk3n|v0ice/, place);
}

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'aivoice-credentials-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
