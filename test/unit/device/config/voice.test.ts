import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findWakeWord } from '../../../../device/audio/speech/wake-word-models.ts';
import { loadAppliance } from '../../../../device/config/appliance.ts';
import { DEFAULTS } from '../../../../device/config/defaults.ts';
import { loadConfig, secretsOf } from '../../../../device/config/load.ts';
import { formatProblems } from '../../../../device/config/problem.ts';
import { redactor } from '../../../../device/config/secrets.ts';
import { surroundings } from './surroundings.ts';

/** Loads the lines as ./appliance.toml; the problems as first lines without the folder. */
async function load(lines: readonly string[], mode?: number) {
  using place = surroundings();
  place.write('appliance.toml', lines.join('\n'), mode);
  const { settings, problems } = await loadAppliance({ environment: place.environment });
  const printed = formatProblems(problems, 'en');
  const first = printed.split('\n').filter((line) => /^\S/.test(line));
  return { settings, printed, first: first.map((line) => line.replaceAll(`${place.folder}/`, '')) };
}

test('realtime without a device that cancels echo is refused, names both settings, and auto is used', async () => {
  const { first, settings } = await load(['[voice]', 'mode = "realtime"']);
  assert.deepEqual(first, [
    'appliance.toml:2:8: CONFIG_INVALID: voice.mode: expected audio.echo_cancelled = true beside "realtime", got audio.echo_cancelled = false',
  ]);
  assert.equal(settings.voice.mode, 'auto');
  const both = await load(['[voice]', 'mode = "realtime"', '[audio]', 'echo_cancelled = true']);
  assert.deepEqual([both.first, both.settings.voice.mode], [[], 'realtime']);
});

test('addresses of the voice cloud are refused with their place, without being repeated', async () => {
  const web = 'expected an address that begins with https:// (or http://)';
  const socket = 'expected an address that begins with wss:// (or ws://)';
  const refused = [
    ['url', 'https://h/?token=CANARY', `${socket}, got one that begins with https://`],
    ['url', 'CANARY', `${socket}, got other text`],
    ['url', 'wss://h/CANARY#x', 'expected an address without #'],
    ['url', 'wss://h/CANARY x', 'expected an address without blanks'],
    ['url', 'wss://', `${socket}, got one that cannot be read`],
    ['activation_url', 'wss://h/CANARY', `${web}, got one that begins with wss://`],
    ['activation_url', 'h.example/ota', `${web}, got other text`],
    ['activation_url', 'http://:80', `${web}, got one that cannot be read`],
  ] as const;
  for (const [key, value, slip] of refused) {
    const { first, settings, printed } = await load(['[voice]', `${key} = "${value}"`]);
    const column = key.length + 4;
    assert.deepEqual(first, [`appliance.toml:2:${column}: CONFIG_INVALID: voice.${key}: ${slip}`]);
    assert.deepEqual(settings.voice, DEFAULTS.voice);
    assert.doesNotMatch(printed, /CANARY/);
  }
  for (const line of [
    'url = "ws://h:8000/x/v1/"',
    'url = "WSS://h/"',
    'activation_url = "http://h:8003/ota/"',
  ])
    assert.deepEqual((await load(['[voice]', line])).first, [], line);
});

test('a token that no header can carry is refused and never printed', async () => {
  for (const token of ['CANARY\\nX: y', 'CANARY鍵', ' CANARY', '\\u0000CANARY']) {
    const { first, printed, settings } = await load(['[voice]', `token = "${token}"`]);
    assert.match(
      first[0] ?? '',
      /^appliance\.toml:2:9: CONFIG_INVALID: voice\.token: expected plain letters/,
    );
    assert.doesNotMatch(printed, /CANARY/);
    assert.equal(settings.voice.token, undefined);
  }
  const good = ['[voice]', 'url = "wss://h/"', 'token = "Bearer a.b-c_d=="'];
  assert.deepEqual((await load(good)).first, []);
});

test('a voice token in a file that others can read is a warning, one for all keys of the file', async () => {
  const token = await load(['[voice]', 'token = "abcdefgh"', 'url = "wss://h/"'], 0o640);
  assert.deepEqual(token.first, [
    'appliance.toml:2:9: CONFIG_OPEN (warning): voice.token: this file: mode 640, expected 600 (chmod 600 appliance.toml)',
  ]);
  assert.equal(token.settings.voice.token?.reveal(), 'abcdefgh');
  const both = await load(['[voice]', 'url = "wss://h/"', 'token = "abcdefgh"'], 0o644);
  assert.deepEqual(both.first, [
    'appliance.toml:3:9: CONFIG_OPEN (warning): voice.token: this file: mode 644, expected 600 (chmod 600 appliance.toml)',
  ]);
  const none = await load(['[voice]', 'activation_url = "https://h/ota/"'], 0o644);
  assert.deepEqual(none.first, []);
});

const root = process.getuid?.() === 0 ? false : 'only root can give files away';

test('a file of root that the group of a service may read is no warning', { skip: root }, async () => {
  using place = surroundings();
  const file = place.write('appliance.toml', '[voice]\nurl = "wss://h/"\n', 0o640);
  chownSync(file, 0, 900);
  const problems = async () => (await loadAppliance({ environment: place.environment })).problems;
  assert.deepEqual(await problems(), []);
  chmodSync(file, 0o660); // whoever may write there may have it send the key anywhere
  assert.equal((await problems())[0]?.code, 'CONFIG_OPEN');
});

test('the CA file of the voice cloud is looked at as that of the endpoint', async () => {
  const { first } = await load(['[voice]', 'ca_file = "gone.pem"']);
  assert.deepEqual(first, [
    'appliance.toml:2:11: CONFIG_INVALID: voice.ca_file: expected a PEM file that can be read: there is no such file',
  ]);
});

test('the CA file and the folder of wake words start from the folder of the file', async () => {
  using place = surroundings();
  place.write('etc/ca.pem', '-----BEGIN CERTIFICATE-----\n');
  mkdirSync(join(place.folder, 'etc/words'));
  const lines = ['[voice]', 'ca_file = "ca.pem"', '[audio]', 'wake_folder = "words"'];
  const config = place.write('etc/appliance.toml', lines.join('\n'));
  const { settings, problems } = await loadAppliance({ environment: place.environment, config });
  assert.deepEqual(problems, []);
  assert.equal(settings.voice.caFile, join(place.folder, 'etc/ca.pem'));
  assert.equal(settings.audio.wakeFolder, join(place.folder, 'etc/words'));
});

test('a serial port by its number is a warning, by its stable name none', async () => {
  const { first, settings } = await load(['[terminal]', 'port = "/dev/ttyACM0"']);
  assert.deepEqual(first, [
    'appliance.toml:2:8: CONFIG_PORT_NAME (warning): terminal.port: expected a name below /dev/serial/by-id/, got /dev/ttyACM0',
  ]);
  assert.equal(settings.terminal.port, '/dev/ttyACM0');
  for (const port of ['/dev/serial/by-id/usb-x-if00', '/dev/ttyAMA0', '/dev/pts/3'])
    assert.deepEqual((await load(['[terminal]', `port = "${port}"`])).first, []);
});

test('a token that nothing uses is a warning', async () => {
  const { first, settings } = await load(['[voice]', 'token = "abcdefgh"']);
  assert.deepEqual(first, [
    'appliance.toml:2:9: CONFIG_INVALID (warning): voice.token: expected voice.url beside it; without it this token is not used',
  ]);
  assert.equal(settings.voice.token?.reveal(), 'abcdefgh');
});

test('an address that is not encrypted is a warning on the internet, and none at home', async () => {
  for (const [table, key, address, slip] of [
    ['voice', 'url', 'ws://voice.example/?k=CANARY', 'wss:// to a host on the internet, got ws://'],
    ['voice', 'activation_url', 'http://8.8.8.8/ota/', 'https:// to a host on the internet, got http://'],
    ['endpoint', 'url', 'ws://[2001:db8::1]/', 'wss:// to a host on the internet, got ws://'],
    ['endpoint', 'url', 'ws://172.32.0.1/', 'wss:// to a host on the internet, got ws://'],
  ] as const) {
    const { first } = await load([`[${table}]`, `${key} = "${address}"`]);
    const place = `appliance.toml:2:${key.length + 4}: CONFIG_INVALID (warning): ${table}.${key}`;
    const why = 'keys and voice would travel unencrypted';
    assert.deepEqual(first, [`${place}: expected ${slip}; ${why}`]);
  }
  for (const host of [
    ...['127.0.0.1', '10.1.2.3', '192.168.1.2:8000', '172.16.0.1', '172.31.9.9', '169.254.1.1', '100.64.0.1'],
    ...['localhost', 'box', 'box.local', 'BOX.LAN', 'box.home.arpa', '[::1]', '[fd00::1]', '[fe80::1]'],
  ])
    assert.deepEqual((await load(['[voice]', `url = "ws://${host}/"`])).first, [], host);
});

test('a wake word that is nowhere and a folder that is not there are warnings', async () => {
  const warned = 'appliance.toml:2:13: CONFIG_INVALID (warning): audio.wake_word: expected one of hey_jarvis';
  for (const lines of [['wake_word = "computer"'], ['wake_word = "computer"', 'wake_folder = "."']])
    assert.ok((await load(['[audio]', ...lines])).first[0]?.startsWith(warned));
  const gone = await load(['[audio]', 'wake_folder = "words"', 'wake_word = "computer"']);
  assert.deepEqual(gone.first, [
    'appliance.toml:2:15: CONFIG_INVALID (warning): audio.wake_folder: expected a folder, got nothing there',
  ]);
  using place = surroundings();
  place.write('computer.onnx', 'x');
  place.write('appliance.toml', '[audio]\nwake_folder = "."\nwake_word = "computer"\n');
  assert.deepEqual((await loadAppliance({ environment: place.environment })).problems, []);
});

test('the wake words that come ready-made are those of the appliance', async () => {
  for (const word of ['hey_jarvis', 'alexa', 'hey_mycroft', 'hey_rhasspy']) {
    assert.deepEqual((await load(['[audio]', `wake_word = "${word}"`])).first, []);
    assert.ok(findWakeWord(word, '', '/models').file.startsWith('/models/'));
  }
  assert.throws(
    () => findWakeWord('x', '', ''),
    /ready-made are hey_jarvis, alexa, hey_mycroft, hey_rhasspy$/,
  );
});

test('a misspelt setting of the voice names the nearest', async () => {
  const { first } = await load([
    '[voice]',
    'tokn = 1',
    '[audio]',
    'volum = 1',
    '[terminal]',
    'brightnes = 1',
  ]);
  for (const [line, key] of [
    ['voice.tokn', 'token'],
    ['audio.volum', 'volume'],
    ['terminal.brightnes', 'brightness'],
  ] as const)
    assert.ok(
      first.some((text) => text.includes(`${line}: there is no such setting; did you mean "${key}"?`)),
      line,
    );
});

test('the log hides the address and the token of the voice cloud, and each key in the address', async () => {
  using place = surroundings();
  place.write(
    'appliance.toml',
    [
      '[voice]',
      'url = "wss://h/v1/?authorization=Bearer%20CANARYone&device-id=aa:bb&token=CANARYtwo"',
      'token = "Bearer CANARYthree"',
      'activation_url = "https://me:CANARYfour@h/ota/"',
    ].join('\n'),
  );
  const config = await loadConfig({ environment: place.environment, verb: 'run' });
  assert.deepEqual(config.problems, []);
  const secrets = secretsOf(config);
  for (const key of ['CANARYone', 'CANARYtwo', 'CANARYthree']) assert.ok(secrets.includes(key), key);
  const hide = redactor(secrets);
  for (const text of [
    ...['CANARYone', 'CANARYtwo', 'CANARYthree', 'CANARYfour'].map((key) => `a ${key} b`),
    `dialling ${config.settings.voice.url?.reveal()}`,
    `authorization: ${config.settings.voice.token?.reveal()}`,
    `POST ${config.settings.voice.activationUrl}`,
  ]) {
    assert.doesNotMatch(hide(text), /CANARY/, text);
  }
  assert.doesNotMatch(JSON.stringify(config.settings.voice.url), /CANARY/);
});

test('settings of the voice without a key in them hide nothing of the log', () => {
  const voice = { ...DEFAULTS.voice, activationUrl: 'https://h/ota/' };
  assert.deepEqual(secretsOf({ servers: [], settings: { ...DEFAULTS, voice } }), []);
});
