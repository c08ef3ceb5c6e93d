import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig, secretsOf } from '../../../../device/config/load.ts';
import { surroundings } from './surroundings.ts';

const ENDPOINT = 'wss://handed/?token=CANARYtOk3n';

/** Surroundings of a unit that was handed these credentials. */
function unit(files: Record<string, string | Uint8Array>, variables: Record<string, string> = {}) {
  const around = surroundings(variables);
  const folder = join(around.folder, 'credentials');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) around.write(`credentials/${name}`, content, 0o400);
  const environment = {
    ...around.environment,
    variables: { ...around.environment.variables, CREDENTIALS_DIRECTORY: folder },
  };
  const load = (verb: 'run' | 'bridge' = 'run') => loadConfig({ environment, verb });
  return { ...around, folder, load };
}

test('run takes endpoint and voice token from the credentials of its unit, and hides both', async () => {
  using place = unit({ endpoint: `${ENDPOINT}\n`, 'voice-token': '\ufeffCANARYv0ice\r\n' });
  const config = await place.load();
  assert.deepEqual(config.problems, []);
  assert.equal(config.endpoint?.reveal(), ENDPOINT);
  assert.equal(config.settings.voice.token?.reveal(), 'CANARYv0ice');
  assert.deepEqual(secretsOf(config), [ENDPOINT, 'CANARYv0ice']);
});

test('what the settings or the environment name stands above the credentials', async () => {
  using place = unit(
    { endpoint: ENDPOINT, 'voice-token': 'handed' },
    { MCP_ENDPOINT: 'wss://m/?token=mmmmmm' },
  );
  assert.equal((await place.load()).endpoint?.reveal(), 'wss://m/?token=mmmmmm');
  place.write('appliance.toml', '[endpoint]\nurl = "wss://s/"\n[voice]\nurl = "wss://v/"\ntoken = "own"\n');
  const { endpoint, settings } = await place.load();
  assert.deepEqual([endpoint?.reveal(), settings.voice.token?.reveal()], ['wss://s/', 'own']);
});

test('bridge, which others start, takes nothing from there', async () => {
  using place = unit({ endpoint: ENDPOINT, 'voice-token': 'CANARYv0ice' });
  const config = await place.load('bridge');
  assert.deepEqual([config.endpoint, config.settings.voice.token], [undefined, undefined]);
});

test('no credentials, and empty ones, are no fault', async () => {
  for (const files of [{}, { endpoint: '', 'voice-token': '\n' }] as Record<string, string>[]) {
    using place = unit(files);
    const { endpoint, settings, problems } = await place.load();
    assert.deepEqual([endpoint, settings.voice.token, problems], [undefined, undefined, []]);
  }
});

test('credentials that cannot be used are a problem of their file, which repeats nothing of them', async () => {
  const table: [Record<string, string | Uint8Array>, code: string, file: string][] = [
    [{ endpoint: 'https://CANARY' }, 'ENDPOINT_INVALID', 'endpoint'],
    [{ endpoint: 'CANARY\nCANARY' }, 'ENDPOINT_INVALID', 'endpoint'],
    [{ endpoint: Buffer.from('wss://CANARY/\xff', 'latin1') }, 'CONFIG_ENCODING', 'endpoint'],
    [{ endpoint: 'ws://canary.example/' }, 'CONFIG_INVALID', 'endpoint'],
    [{ 'voice-token': 'CANARY\nCANARY' }, 'CONFIG_INVALID', 'voice-token'],
    [{ 'voice-token': 'CANARY日本' }, 'CONFIG_INVALID', 'voice-token'],
  ];
  for (const [files, code, file] of table) {
    using place = unit(files);
    const { problems } = await place.load();
    assert.deepEqual(
      problems.map((problem) => [problem.code, problem.file]),
      [[code, `$CREDENTIALS_DIRECTORY/${file}`]],
    );
    assert.doesNotMatch(JSON.stringify(problems), /canary/i);
  }
});
