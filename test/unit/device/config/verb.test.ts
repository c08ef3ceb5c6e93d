import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../../../device/cli/command.ts';
import { type Surroundings, surroundings } from './surroundings.ts';

/** Runs the verb and returns what it wrote and its exit code. */
async function run(place: Surroundings, ...args: string[]) {
  let out = '';
  let err = '';
  const code = await runCommand(
    {
      environment: place.environment,
      asked: new AbortController().signal,
      stdout(text) {
        out += text;
      },
      stderr(text) {
        err += text;
      },
    },
    ['config', ...args],
  );
  return { code, out, err, first: out.split('\n')[0] };
}

const CANARY = 'wss://mock.example/mcp/?token=CANARY%2BtOk3n%3D';

test('check says OK with the files when all is well', async () => {
  using place = surroundings({ LANG: 'en_US.UTF-8' });
  assert.deepEqual(await run(place, 'check'), {
    code: 0,
    out: 'OK: The settings are in order.\n',
    err: '',
    first: 'OK: The settings are in order.',
  });
  const file = place.write('mcp_settings.json', '{"mcpServers": {}}');
  assert.equal((await run(place, 'check')).out, `OK: The settings are in order.\n  ${file}\n`);
});

test('check prints all problems, errors first, and ends with 2', async () => {
  using place = surroundings({ LANG: 'ja_JP.UTF-8' });
  place.write('appliance.toml', 'lgo_level = 1\n');
  place.write('mcp_settings.json', '{"mcpServers": {"a": {"command": 5}}}');
  const { code, out, first } = await run(place, 'check');
  assert.equal(code, 2);
  assert.match(first ?? '', /appliance\.toml:1:1: CONFIG_UNKNOWN_KEY: lgo_level: /);
  assert.match(
    out,
    /mcp_settings\.json:1:34: CONFIG_INVALID: mcpServers\.a\.command: 文字列が必要です（今は 5）\n/,
  );
  assert.doesNotMatch(out, /OK|expected/);
});

test('warnings alone end with 0, and are counted', async () => {
  using place = surroundings({ LANG: 'en_US.UTF-8' });
  place.write('mcp_settings.json', '{"mcpServers": {}, "other": 1}');
  const { code, out } = await run(place, 'check');
  assert.equal(code, 0);
  assert.match(out, /CONFIG_UNKNOWN_KEY \(warning\)[\s\S]*\nOK, with 1 warning\n/);
  place.write('appliance.toml', 'language = "ja"\n[terminal]\nport = "/dev/ttyUSB0"\n');
  assert.match((await run(place, 'check')).out, /\nOK（警告 2 件）\n/);
});

test('check of one file looks at that file alone', async () => {
  using place = surroundings();
  place.write('appliance.toml', 'broken');
  place.write('a.json', '{"mcpServers": {}}');
  place.write('b.toml', 'language = "en"\n');
  assert.equal((await run(place, 'check', 'a.json')).code, 0);
  assert.equal(
    (await run(place, 'check', 'b.toml')).out,
    `OK: The settings are in order.\n  ${join(place.folder, 'b.toml')}\n`,
  );
  assert.match(
    (await run(place, 'check', 'c.toml')).out,
    /^c\.toml: CONFIG_MISSING: ファイルがありません \/ there is no such file\n$/,
  );
  assert.equal((await run(place, 'check')).code, 2);
});

test('show prints the settings in effect, which can be read as an appliance.toml, without the key', async () => {
  using place = surroundings({ MCP_ENDPOINT: CANARY, LOG_LEVEL: 'debug' });
  const servers = { a: { command: 'x', args: ['--key', CANARY], env: { API_KEY: 'CANARYkey', MODE: 'm' } } };
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: servers }));
  const { code, out, err } = await run(place, 'show');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^log_level = "debug"$/m);
  assert.match(out, /^url = "wss:\/\/mock\.example\/mcp\/\?token=\*\*\*[0-9a-f]{4}"$/m);
  assert.match(out, /"MODE":"m"/);
  assert.doesNotMatch(out, /CANARY/);
  place.write('shown.toml', out);
  assert.match((await run(place, 'check', 'shown.toml')).out, /OK: /);
});

test('show prints the settings of the voice without their keys, also those in an address', async () => {
  using place = surroundings();
  const lines = [
    '[voice]',
    'url = "wss://voice.example/v1/?authorization=CANARYone"',
    'token = "CANARYtwo"',
    'activation_url = "https://me:CANARYthree@voice.example/ota/?key=CANARYfour"',
    '[terminal]',
    'port = "/dev/serial/by-id/usb-x"',
  ];
  place.write('appliance.toml', lines.join('\n'));
  const { code, out, err } = await run(place, 'show');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^url = "wss:\/\/voice\.example\/v1\/\?\*\*\*[0-9a-f]{4}"$/m);
  assert.match(out, /^token = "\*\*\*[0-9a-f]{4}"$/m);
  assert.match(out, /^activation_url = "https:\/\/voice\.example\/ota\/\?\*\*\*[0-9a-f]{4}"$/m);
  assert.match(out, /^\[audio\]$[\s\S]*^wake_word = ""$[\s\S]*^\[terminal\]$[\s\S]*^double_ms = 250$/m);
  assert.doesNotMatch(out + (await run(place, 'show', '--json')).out, /CANARY/);
  place.write('shown.toml', out);
  assert.match((await run(place, 'check', 'shown.toml')).out, /OK: /);
});

test('show --json is one object with a schema number', async () => {
  using place = surroundings({ MCP_ENDPOINT: CANARY });
  const { out } = await run(place, 'show', '--json');
  const shown = JSON.parse(out);
  assert.equal(shown.schema, 1);
  assert.equal(shown.settings.bridge.call_timeout_ms, 28_000);
  assert.deepEqual(
    shown.servers.map(({ name }: { name: string }) => name),
    ['calculator', 'files', 'everyday'],
  );
  assert.doesNotMatch(out, /CANARY/);
});

test('show with wrong settings shows what is used, the problems on stderr, and ends with 2', async () => {
  using place = surroundings();
  place.write('appliance.toml', 'language = "jp"\nlog_level = "warn"\n');
  const { code, out, err } = await run(place, 'show');
  assert.equal(code, 2);
  assert.match(out, /^language = "auto"\nlog_level = "warn"$/m);
  assert.match(err, /CONFIG_INVALID: language/);
});

test('path says which files are used and which were looked for', async () => {
  using place = surroundings({ LANG: 'en_US.UTF-8', MCP_CONFIG: 'gone.json' });
  const own = place.write('home/.config/aivoice/appliance.toml', '');
  const here = place.write('appliance.toml', '# none\n');
  place.write('mcp_settings.json', '{}');
  const { code, out } = await run(place, 'path');
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n').slice(0, 5), [
    `appliance.toml: ${here} (working folder): used`,
    `appliance.toml: ${own} (user): not used`,
    'appliance.toml: /etc/aivoice/appliance.toml (machine): absent',
    `mcp_settings.json: ${join(place.folder, 'gone.json')} ($MCP_CONFIG): absent`,
    `mcp_settings.json: ${join(place.folder, 'mcp_settings.json')} (working folder): not used`,
  ]);
  assert.match(out, /^state: .*\/home\/\.local\/state\/aivoice\nsocket: .*control\.sock$/m);
});

test('wrong usage ends with 64 and names the nearest verb; help ends with 0', async () => {
  using place = surroundings({ LANG: 'en_US.UTF-8' });
  for (const args of [
    [],
    ['chekc'],
    ['check', 'a', 'b'],
    ['show', 'x'],
    ['check', '--nope'],
    ['show', '--config'],
  ]) {
    const { code, out, err } = await run(place, ...args);
    assert.deepEqual([code, out], [64, ''], args.join(' '));
    assert.match(err, /^USAGE: The command line is wrong\. \(.+\)\n$/);
  }
  assert.match((await run(place, 'chekc')).err, /did you mean check\?/);
  assert.equal((await run(place, '--help')).code, 0);
});

test('--config names the appliance.toml', async () => {
  using place = surroundings({ LANG: 'en_US.UTF-8' });
  place.write('other.toml', 'language = 5\n');
  const { first, code } = await run(place, 'check', '--config', 'other.toml');
  assert.equal(code, 2);
  assert.equal(first, 'other.toml:1:12: CONFIG_INVALID: language: expected "auto" or "ja" or "en", got 5');
});
