import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { type Appliance, fixture, startAppliance } from '../appliance.ts';
import { environmentOf } from '../processes.ts';
import { call, expectTurn, freshQuestion, rest, setTalk, untilIdle } from './talk.ts';

const TOKEN = 'CANARY+tOk3n=';
const SETTINGS = { voice: { hello_timeout_ms: 300, hello_again_ms: 100 } };
const COMMANDS = [
  ['status'],
  ['status', '--json'],
  ['logs'],
  ['config', 'show'],
  ['say', 'hello'],
  ['tools'],
];
/** What the owner wrote, and the one place where a registration is kept. */
const OWN_FILES = ['appliance.toml', 'voice-credentials.json'];

describe('the voice token is in the log: it shows nowhere', { concurrency: 2 }, () => {
  for (const access of ['by hand', 'registered'] as const) {
    it(`with access ${access}, in turns and through every trouble of the line`, async () => {
      proves('voice-secret');
      await using stage = await setTalk({
        access,
        started: false,
        settings: SETTINGS,
        voice: { token: TOKEN },
      });
      const { voice, card, settings } = stage;
      await using appliance = startAppliance({
        settings: `log_level = "debug"\n${settings.replace(voice.url, `${voice.url}?key=CANARYk3y`)}`,
        servers: { tools: fixture('tools.mjs') },
        env: card.env,
      });
      await appliance.untilPart('voice', ({ state }) => state === 'ready');
      await stage.cloud.tools();
      voice.nextFaults.push(
        { welcome: { status: 401 } },
        { welcome: { status: 302, location: `${voice.url}?key=CANARYk3y` } },
        { welcome: { status: 500 } },
        { welcome: { closeWith: { code: 1008, reason: `bad token ${TOKEN}` } } },
        { firstText: `bad token ${TOKEN}`, hello: 'never' },
        { close: { at: 'hello', code: 4000, reason: `bad token ${TOKEN}` } },
      );
      while (voice.nextFaults.length > 0) {
        await appliance.untilPart('voice', ({ code }) => code !== 'VOICE_CODE');
        await appliance.cli('say', 'hello');
      }
      await untilIdle(stage);
      await call(stage);
      await expectNoKey(appliance, ['arecord', 'tools.mjs']);
      const sound = stage.voice.next('sound', (e) => e.event === 'packet-sent' && e.number === 8);
      const over = stage.next('listen-start', 40_000);
      await stage.speak(freshQuestion());
      await sound;
      await expectNoKey(appliance, ['aplay']);
      await over;
      await rest(stage);
      await expectTurn(stage);
      for (const { path, mode } of filesOf(appliance.home.state)) assert.equal(mode, '600', path);
    });
  }
});

/** Looks through all that the appliance has said and written, and through what its children were given. */
async function expectNoKey(appliance: Appliance, running: readonly string[]): Promise<void> {
  const places = new Map<string, string>();
  const processes = appliance.processes();
  for (const name of running)
    assert.ok(
      processes.some(({ command }) => command.includes(name)),
      `${name} runs`,
    );
  for (const { pid, command } of processes) {
    places.set(`command line of ${pid}`, command);
    places.set(`environment of ${pid}`, environmentOf(pid).join('\n'));
  }
  for (const args of COMMANDS) {
    const { stdout, stderr } = await appliance.cli(...args);
    places.set(`output of ${args.join(' ')}`, stdout + stderr);
  }
  places.set('the log', appliance.log.map(({ text }) => text).join('\n'));
  places.set('stdout', appliance.stdout.join('\n'));
  for (const { path, name } of filesOf(appliance.home.folder))
    if (!OWN_FILES.includes(name)) places.set(path, readFileSync(path, 'latin1'));
  for (const [place, text] of places)
    for (const form of FORMS) assert.equal(text.includes(form), false, `${form} in ${place}: ${text}`);
}

function filesOf(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => ({ path: join(parentPath, name), name }))
    .map((file) => ({ ...file, mode: (statSync(file.path).mode & 0o777).toString(8) }));
}

const FORMS = [
  'CANARY',
  'tOk3n',
  'k3y',
  ...[0, 1, 2].map((shift) =>
    Buffer.from(`${'?'.repeat(shift)}${TOKEN}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  ),
];
