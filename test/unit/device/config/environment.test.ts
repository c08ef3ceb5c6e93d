import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../../../../device/config/child-environment.ts';
import { DEFAULTS, type Settings } from '../../../../device/config/defaults.ts';
import { readEnvironment, resolveLanguage } from '../../../../device/config/environment.ts';
import { builtinServers } from '../../../../device/config/servers.ts';
import { surroundings } from './surroundings.ts';

const STRANGER = { args: ['x.py'], env: { OWN: '1' }, builtin: false };

test('a child gets PATH with the running Node first, HOME, LANG, TZ and its own env, and nothing else', () => {
  using place = surroundings({
    LANG: 'C.UTF-8',
    TZ: 'Asia/Tokyo',
    MCP_ENDPOINT: 'wss://h/?token=CANARY',
    AIVOICE_ENDPOINT: 'wss://h/?token=CANARY',
    MCP_FILE_ROOT: '/secret',
    NODE_OPTIONS: '--inspect',
    OPEN_METEO_FORECAST_URL: 'http://x',
  });
  assert.deepEqual(childEnvironment(DEFAULTS, STRANGER, place.environment), {
    PATH: '/opt/node/bin:/usr/bin',
    HOME: join(place.folder, 'home'),
    LANG: 'C.UTF-8',
    TZ: 'Asia/Tokyo',
    OWN: '1',
  });
});

test('what is not set is not made up, except a PATH and the zone of the settings', () => {
  using place = surroundings();
  const environment = { ...place.environment, variables: {} };
  assert.deepEqual(childEnvironment(DEFAULTS, { ...STRANGER, env: {} }, environment), {
    PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
    TZ: 'Asia/Tokyo',
  });
});

test('the language setting decides LANG, and the own env of an entry stands above all', () => {
  using place = surroundings({ LANG: 'C' });
  const lang = (language: Settings['language'], env: Record<string, string> = {}) => {
    return childEnvironment({ ...DEFAULTS, language }, { ...STRANGER, env }, place.environment).LANG;
  };
  assert.deepEqual(
    [lang('ja'), lang('en'), lang('auto'), lang('ja', { LANG: 'fr' })],
    ['ja_JP.UTF-8', 'en_US.UTF-8', 'C', 'fr'],
  );
});

test('servers speak the language that the locale gives the appliance, also where that is LC_ALL', () => {
  const lang = (variables: Record<string, string>) => {
    using place = surroundings(variables);
    return childEnvironment(DEFAULTS, STRANGER, place.environment).LANG;
  };
  assert.deepEqual(
    [
      lang({ LC_ALL: 'ja_JP.UTF-8', LANG: 'en_US.UTF-8' }),
      lang({ LC_MESSAGES: 'en_GB.UTF-8', LANG: 'ja_JP.UTF-8' }),
      lang({ LANG: 'ja' }),
      lang({ LC_ALL: 'C.UTF-8', LANG: 'fr_FR.UTF-8' }),
      lang({ LC_ALL: 'ja_JP.eucJP' }),
    ],
    ['ja_JP.UTF-8', 'en_US.UTF-8', 'ja_JP.UTF-8', 'fr_FR.UTF-8', 'ja_JP.UTF-8'],
  );
});

test('files is told its root: own env, $MCP_FILE_ROOT, the setting, the state folder, in this order', () => {
  using place = surroundings();
  const { environment, folder } = place;
  const files = builtinServers(environment).all.find(({ name }) => name === 'files')!;
  const withRoot = { ...DEFAULTS, files: { root: '/set' } };
  const withVariable = { ...environment, variables: { ...environment.variables, MCP_FILE_ROOT: 'given' } };
  const root = (...[settings, server, around]: Parameters<typeof childEnvironment>) => {
    return childEnvironment(settings, server, around).MCP_FILE_ROOT;
  };
  assert.equal(root(withRoot, { ...files, env: { MCP_FILE_ROOT: '/own' } }, withVariable), '/own');
  assert.equal(root(withRoot, files, withVariable), join(folder, 'given'));
  assert.equal(root(withRoot, files, environment), '/set');
  const made = join(folder, 'home/.local/state/aivoice/files');
  assert.equal(root(DEFAULTS, files, environment), made);
  assert.equal(statSync(made).mode & 0o777, 0o700);
});

test('everyday is told the time zone and where the weather is asked for', () => {
  using place = surroundings({ OPEN_METEO_FORECAST_URL: 'http://127.0.0.1:1/f' });
  const everyday = builtinServers(place.environment).all.find(({ name }) => name === 'everyday')!;
  const child = childEnvironment({ ...DEFAULTS, timeZone: 'UTC' }, everyday, place.environment);
  assert.equal(child.AIVOICE_TIME_ZONE, 'UTC');
  assert.equal(child.OPEN_METEO_FORECAST_URL, 'http://127.0.0.1:1/f');
});

test("the reader's language is the setting, else the locale's, else both", () => {
  const resolve = (setting: Settings['language'], variables: Record<string, string>) => {
    return resolveLanguage(setting, { variables, cwd: '/', execPath: '/node', uid: 0 });
  };
  assert.equal(resolve('en', { LANG: 'ja_JP.UTF-8' }), 'en');
  assert.equal(resolve('auto', { LANG: 'ja_JP.UTF-8' }), 'ja');
  assert.equal(resolve('auto', { LC_ALL: 'en_GB.UTF-8', LANG: 'ja_JP.UTF-8' }), 'en');
  assert.equal(resolve('auto', { LC_ALL: '', LC_MESSAGES: 'ja_JP', LANG: 'en_US' }), 'ja');
  assert.equal(resolve('auto', { LANG: 'C.UTF-8' }), 'both');
  assert.equal(resolve('auto', {}), 'both');
});

test('the picture of the environment is a copy', () => {
  const { variables } = readEnvironment();
  process.env.CONFIG_TEST_LATER = '1';
  delete process.env.CONFIG_TEST_LATER;
  assert.equal(variables.CONFIG_TEST_LATER, undefined);
  assert.equal(variables.PATH, process.env.PATH);
});
