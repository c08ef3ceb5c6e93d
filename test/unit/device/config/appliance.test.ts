import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findAppliance, loadAppliance } from '../../../../device/config/appliance.ts';
import { DEFAULTS } from '../../../../device/config/defaults.ts';
import { formatProblems } from '../../../../device/config/problem.ts';
import { surroundings } from './surroundings.ts';

/** Loads the text as ./appliance.toml; the problems as first lines without the folder. */
async function load(text: string | Uint8Array, mode?: number) {
  using place = surroundings();
  place.write('appliance.toml', text, mode);
  const { settings, problems } = await loadAppliance({ environment: place.environment });
  const lines = formatProblems(problems, 'en').split('\n');
  const first = lines
    .filter((line) => /^\S/.test(line))
    .map((line) => line.replaceAll(`${place.folder}/`, ''));
  return { settings, problems, first, printed: lines.join('\n') };
}

test('without a file all settings are their defaults', async () => {
  using place = surroundings();
  const loaded = await loadAppliance({ environment: place.environment });
  assert.deepEqual(loaded, { settings: DEFAULTS, problems: [] });
});

test('the file is looked for on the command line, in the variable, in the working, the user and the machine folder', () => {
  using place = surroundings();
  const { environment, folder } = place;
  const at = (variables: Record<string, string>, config?: string) => {
    return findAppliance({ environment: { ...environment, variables }, config });
  };
  const xdg = join(folder, 'xdg');
  place.write('home/.config/aivoice/appliance.toml', '');
  assert.equal(at({ HOME: join(folder, 'home') }), join(folder, 'home/.config/aivoice/appliance.toml'));
  place.write('xdg/aivoice/appliance.toml', '');
  assert.equal(at({ XDG_CONFIG_HOME: xdg }), join(xdg, 'aivoice/appliance.toml'));
  place.write('appliance.toml', '');
  assert.equal(at({ XDG_CONFIG_HOME: xdg }), join(folder, 'appliance.toml'));
  assert.equal(at({ AIVOICE_CONFIG: 'other.toml' }), 'other.toml');
  assert.equal(at({ AIVOICE_CONFIG: 'other.toml' }, 'flag.toml'), 'flag.toml');
});

test('a file that is named but missing is a problem, and so is a link that dangles', async () => {
  using place = surroundings();
  const { environment } = place;
  const named = await loadAppliance({ environment, config: 'nowhere.toml' });
  assert.deepEqual(named.problems, [
    { code: 'CONFIG_MISSING', severity: 'error', file: 'nowhere.toml', detail: 'there is no such file' },
  ]);
  symlinkSync('gone.toml', join(place.folder, 'appliance.toml'));
  const dangling = await loadAppliance({ environment });
  assert.equal(dangling.problems[0]?.code, 'CONFIG_MISSING');
});

test('what the file sets is used, the rest stays default, and paths start from the folder of the file', async () => {
  using place = surroundings();
  place.write('etc/ca.pem', '-----BEGIN CERTIFICATE-----\n');
  const text = [
    'language = "ja"',
    '[endpoint]',
    'url = "wss://cloud.example/mcp/?token=abcdef"',
    'ca_file = "ca.pem"',
    'retry_max_ms = 600_000',
    '[bridge]',
    'result_budget = 4096',
    '[files]',
    'root = "~/photos"',
    '[servers]',
    'file = "servers.json"',
  ].join('\n');
  const config = place.write('etc/appliance.toml', text);
  const { settings, problems } = await loadAppliance({ environment: place.environment, config });
  assert.deepEqual(problems, []);
  assert.equal(settings.endpoint.url?.reveal(), 'wss://cloud.example/mcp/?token=abcdef');
  assert.deepEqual(
    { ...settings, endpoint: { ...settings.endpoint, url: undefined } },
    {
      ...DEFAULTS,
      language: 'ja',
      endpoint: { ...DEFAULTS.endpoint, caFile: join(place.folder, 'etc/ca.pem'), retryMaxMs: 600_000 },
      bridge: { ...DEFAULTS.bridge, resultBudget: 4096 },
      servers: { ...DEFAULTS.servers, file: join(place.folder, 'etc/servers.json') },
      files: { root: join(place.folder, 'home/photos') },
    },
  );
});

test('all that is wrong is told at once, with its place, and the rest is used', async () => {
  const { settings, first } = await load(
    [
      'lgo_level = "info"',
      'language = "jp"',
      '[bridge]',
      'hold_ms = "2"',
      'list_wait_ms = 7',
      '[brigde]',
    ].join('\n'),
  );
  assert.deepEqual(first, [
    'appliance.toml:1:1: CONFIG_UNKNOWN_KEY: lgo_level: there is no such setting; did you mean "log_level"?',
    'appliance.toml:2:12: CONFIG_INVALID: language: expected "auto" or "ja" or "en", got "jp"',
    'appliance.toml:4:11: CONFIG_INVALID: bridge.hold_ms: expected a whole number of milliseconds from 0 to 60000, got "2"; write 2 without quotes',
    'appliance.toml:6:2: CONFIG_UNKNOWN_KEY: brigde: there is no such setting; did you mean "bridge"?',
  ]);
  assert.deepEqual(settings, { ...DEFAULTS, bridge: { ...DEFAULTS.bridge, listWaitMs: 7 } });
});

test('two times that do not fit each other are both left out, and nothing else with them', async () => {
  const { settings, first } = await load('[endpoint]\nping_ms = 30_000\nclose_ms = 5\n');
  assert.deepEqual(first, [
    'appliance.toml:1:2: CONFIG_INVALID: endpoint.dead_ms: expected at least ping_ms (30000), got 25000',
  ]);
  assert.deepEqual(settings.endpoint, { ...DEFAULTS.endpoint, closeMs: 5 });
});

test('slips of syntax come all at once, and the lines without them are used', async () => {
  const { settings, first } = await load('language = “ja”\nlog_level = "warn\ntime_zone = "UTC"\n');
  assert.deepEqual(first, [
    'appliance.toml:1:12: CONFIG_SYNTAX: expected ", got “',
    'appliance.toml:2:18: CONFIG_SYNTAX: expected the closing quote on this line',
  ]);
  assert.deepEqual(settings, { ...DEFAULTS, timeZone: 'UTC' });
});

test('a name that stands twice is a slip of syntax', async () => {
  const { first } = await load('[bridge]\nhold_ms = 1\nhold_ms = 2\n');
  assert.deepEqual(first, ['appliance.toml:3:1: CONFIG_SYNTAX: this name is here twice']);
});

test('values out of range, of another kind and of no known zone say what was expected', async () => {
  const { first } = await load(
    'time_zone = "Asia/Kyoto"\nbridge = 5\n[servers]\nping_misses = 0\n[restart]\nmax_restarts = 2.5\n[files]\nroot = [1]\n',
  );
  assert.deepEqual(first, [
    'appliance.toml:1:13: CONFIG_INVALID: time_zone: expected a time zone such as "Asia/Tokyo", got text',
    'appliance.toml:2:10: CONFIG_INVALID: bridge: expected a table, got 5',
    'appliance.toml:4:15: CONFIG_INVALID: servers.ping_misses: expected a whole number from 1 to 100, got 0',
    'appliance.toml:6:16: CONFIG_INVALID: restart.max_restarts: expected a whole number from 1 to 1000, got 2.5',
    'appliance.toml:8:8: CONFIG_INVALID: files.root: expected the path of a folder, got […]',
  ]);
});

test('the address of the endpoint is never printed, whatever is wrong with it or with its line', async () => {
  const key = 'CANARY%2BtOk3n%3D';
  const texts = [
    `[endpoint]\nurl = "wss://host/mcp/?token=${key}\n`,
    `[endpoint]\nurl = wss://host/mcp/?token=${key}\n`,
    `[endpoint]\nurl = "https://host/mcp/?token=${key}"\n`,
    `[endpoint]\nurl = "${key}"\n`,
    `[endpoint]\nurl = ["${key}"]\n`,
    `[endpoint]\nulr = "wss://host/mcp/?token=${key}"\n`,
    `endpoint = "wss://host/mcp/?token=${key}"\n`,
    `endpoint = { url = "wss://host/mcp/?token=${key}#x" }\n`,
    `[endpoint]\nurl = “wss://host/mcp/?token=${key}”\n`,
  ];
  for (const text of texts) {
    const { problems, printed, settings } = await load(text);
    assert.ok(problems.length > 0, text);
    assert.doesNotMatch(printed + JSON.stringify(problems), /CANARY/, text);
    assert.equal(settings.endpoint.url, undefined, text);
  }
});

test('an address that is not ws:// or wss:// is refused without being repeated', async () => {
  const { first } = await load('[endpoint]\nurl = "http://host/?token=abcdef"\n');
  assert.deepEqual(first, [
    'appliance.toml:2:7: ENDPOINT_INVALID: endpoint.url: expected an address that begins with wss:// (or ws://), got one that begins with http://',
  ]);
});

test('a file with an endpoint that others can read is a warning; one without an endpoint is none', async () => {
  const open = await load('[endpoint]\nurl = "wss://host/?token=abcdef"\n', 0o644);
  assert.deepEqual(open.first, [
    'appliance.toml:2:7: CONFIG_OPEN (warning): endpoint.url: this file: mode 644, expected 600 (chmod 600 appliance.toml)',
  ]);
  assert.equal(open.settings.endpoint.url?.reveal(), 'wss://host/?token=abcdef');
  assert.deepEqual((await load('language = "en"\n', 0o644)).first, []);
});

test('a CA file that is not there or holds no certificate is told before the first dial fails for it', async () => {
  for (const [file, slip] of [
    ['/nowhere/ca.pem', 'expected a PEM file that can be read: there is no such file'],
    ['/', 'expected a PEM file that can be read: expected a file, got a folder (EISDIR)'],
    ['appliance.toml', 'expected a PEM file with a certificate, got other text'],
  ]) {
    const { first } = await load(`[endpoint]\nca_file = "${file}"\n`);
    assert.deepEqual(first, [`appliance.toml:2:11: CONFIG_INVALID: endpoint.ca_file: ${slip}`]);
  }
});

test('BOM and CRLF are accepted, and lines are counted right with them', async () => {
  const { first, settings } = await load('\ufefflanguage = "en"\r\nlog_level = "loud"\r\n');
  assert.deepEqual(first, [
    'appliance.toml:2:13: CONFIG_INVALID: log_level: expected "error" or "warn" or "info" or "debug", got "loud"',
  ]);
  assert.equal(settings.language, 'en');
});

test('hostile files end in a problem, not in a crash', async () => {
  for (const text of [
    '['.repeat(200_000),
    `a = ${'['.repeat(200_000)}`,
    `${'a.'.repeat(100_000)}a = 1`,
    '\0',
  ]) {
    const { problems } = await load(text);
    assert.ok(problems.length > 0 && problems.length < 50, text.slice(0, 20));
  }
  const { problems } = await load('__proto__ = 1\nconstructor = 2\n[endpoint]\n__proto__ = { url = "x" }\n');
  assert.equal(problems.length, 3);
});

test('a folder in place of the file is told as such', async () => {
  using place = surroundings();
  mkdirSync(join(place.folder, 'appliance.toml'));
  const { problems } = await loadAppliance({ environment: place.environment });
  assert.equal(problems[0]?.code, 'CONFIG_UNREADABLE');
  assert.equal(problems[0]?.detail, 'expected a file, got a folder (EISDIR)');
});

test('a key on a line of its own, in a wrong place or as a name is never printed', async () => {
  const texts = [
    '[endpoint]\nurl = "wss://h/mcp/?token=\nCANARY"\n',
    '[endpoint]\nurl = "wss://h/mcp/?token=\nCANARY\n"\n',
    '[endpoint]\nping_ms = "CANARY"\n',
    '["CANARY"]\n',
    '[endpoint]\n"CANARY%2Bx" = 1\nCANARY = "CANARY"\n',
    'language = "CANARY"\n',
    Buffer.concat([Buffer.from('CANARY'), Buffer.from([0xff])]),
  ];
  for (const text of texts) {
    const { problems, printed } = await load(text);
    assert.ok(problems.length > 0, String(text));
    assert.doesNotMatch(printed + JSON.stringify(problems), /CANARY/, String(text));
  }
});

test('a short word and a number in quotes are shown, since no key looks so; whatever else is text', async () => {
  const { first } = await load(
    [
      '[terminal]',
      'click = "speak"',
      'double = "Sesame"',
      'triple = "opensesameopensesame"',
      '[audio]',
      'volume = "60"',
      'sounds = "true"',
      'guard_ms = "12345678901234"',
    ].join('\n'),
  );
  assert.deepEqual(
    first.map((line) => line.replace(/^.*(?=got)/, '')),
    [
      'got "speak"',
      'got text',
      'got text',
      'got "60"; write 60 without quotes',
      'got "true"; write true without quotes',
      'got text',
    ],
  );
});

test('a line of a known kind that holds a number is shown with its problem', async () => {
  assert.match((await load('[bridge]\nhold_ms = 99_999\n')).printed, /2 \| hold_ms = 99_999/);
});

test('a flood of unknown settings ends in 100 problems', { timeout: 5000 }, async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `k${n} = 1`);
  assert.equal((await load(`[endpoint]\n${lines.join('\n')}\n`)).problems.length, 100);
});
