import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig, secretsOf, settingsKey } from '../../../../device/config/load.ts';
import { surroundings } from './surroundings.ts';

test('run works without any file and without an endpoint', async () => {
  using place = surroundings();
  const config = await loadConfig({ environment: place.environment, verb: 'run' });
  assert.deepEqual([config.files, config.problems, config.endpoint], [[], [], undefined]);
  assert.deepEqual(
    config.servers.map(({ name }) => name),
    ['calculator', 'files', 'everyday'],
  );
});

test('run takes the endpoint from the setting, else from $AIVOICE_ENDPOINT, else from $MCP_ENDPOINT', async () => {
  using place = surroundings();
  const { environment } = place;
  const both = {
    ...environment.variables,
    AIVOICE_ENDPOINT: 'wss://a/?token=aaaaaa',
    MCP_ENDPOINT: 'wss://m/?token=mmmmmm',
  };
  const { AIVOICE_ENDPOINT: _, ...one } = both;
  const endpoint = async (variables: Record<string, string | undefined>) => {
    return (await loadConfig({ environment: { ...environment, variables }, verb: 'run' })).endpoint?.reveal();
  };
  assert.equal(await endpoint(one), 'wss://m/?token=mmmmmm');
  assert.equal(await endpoint(both), 'wss://a/?token=aaaaaa');
  place.write('appliance.toml', '[endpoint]\nurl = "wss://s/?token=ssssss"\n');
  assert.equal(await endpoint(both), 'wss://s/?token=ssssss');
});

test('bridge takes the endpoint from $MCP_ENDPOINT alone and cannot do without', async () => {
  using place = surroundings({ AIVOICE_ENDPOINT: 'wss://a/?token=aaaaaa' });
  place.write('appliance.toml', '[endpoint]\nurl = "wss://s/?token=ssssss"\n');
  const without = await loadConfig({ environment: place.environment, verb: 'bridge' });
  assert.equal(without.endpoint, undefined);
  assert.deepEqual(
    without.problems.map(({ code, file }) => `${code} ${file}`),
    ['ENDPOINT_MISSING $MCP_ENDPOINT'],
  );
  const variables = { ...place.environment.variables, MCP_ENDPOINT: ' wss://m/?token=mmmmmm\n' };
  const config = await loadConfig({ environment: { ...place.environment, variables }, verb: 'bridge' });
  assert.equal(config.endpoint?.reveal(), 'wss://m/?token=mmmmmm');
});

test('an endpoint in the environment that is no address is refused without being repeated', async () => {
  for (const address of [
    'CANARY',
    'http://h/?token=CANARY',
    'wss://h/?token=CANARY#x',
    'wss://h/ ?token=CANARY',
    'wss://',
  ]) {
    using place = surroundings({ MCP_ENDPOINT: address });
    const config = await loadConfig({ environment: place.environment, verb: 'bridge' });
    assert.deepEqual(
      config.problems.map(({ code }) => code),
      ['ENDPOINT_INVALID'],
      address,
    );
    assert.doesNotMatch(JSON.stringify(config), /CANARY/);
  }
});

test('$LOG_LEVEL stands above the setting, in any case; one that is unknown is a warning', async () => {
  using place = surroundings();
  place.write('appliance.toml', 'log_level = "warn"\n');
  const load = (level: string) => {
    const variables = { ...place.environment.variables, LOG_LEVEL: level };
    return loadConfig({ environment: { ...place.environment, variables }, verb: 'run' });
  };
  assert.equal((await load('')).settings.logLevel, 'warn');
  assert.equal((await load('DEBUG')).settings.logLevel, 'debug');
  const odd = await load('loud');
  assert.equal(odd.settings.logLevel, 'warn');
  assert.deepEqual(
    odd.problems.map(({ severity, file }) => `${severity} ${file}`),
    ['warning $LOG_LEVEL'],
  );
});

test('the problems of both files come together, and mcp_settings.json beside appliance.toml is found', async () => {
  using place = surroundings();
  place.write('etc/appliance.toml', 'lgo_level = 1\n');
  place.write('etc/mcp_settings.json', '{"mcpServers": {"a": {"command": 5}}}');
  const config = join(place.folder, 'etc/appliance.toml');
  const loaded = await loadConfig({ environment: place.environment, flags: { config }, verb: 'run' });
  assert.deepEqual(loaded.files, [config, join(place.folder, 'etc/mcp_settings.json')]);
  assert.deepEqual(
    loaded.problems.map(({ code }) => code),
    ['CONFIG_UNKNOWN_KEY', 'CONFIG_INVALID'],
  );
});

test('printed as JSON the configuration holds no key', async () => {
  using place = surroundings();
  place.write('appliance.toml', '[endpoint]\nurl = "wss://s/?token=CANARYx"\n');
  const config = await loadConfig({ environment: place.environment, verb: 'run' });
  assert.doesNotMatch(JSON.stringify(config), /CANARY/);
});

test('the key of a server changes with command, args, env and cwd, and with nothing else', () => {
  const server = { command: 'x', args: ['a', 'b'], env: { B: '2', A: '1' } };
  const key = settingsKey(server);
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(settingsKey({ ...server, env: { A: '1', B: '2' } }), key);
  const others = [
    { ...server, command: 'y' },
    { ...server, args: ['a b'] },
    { ...server, env: { A: '1' } },
    { ...server, cwd: '/' },
  ];
  assert.equal(new Set([key, ...others.map(settingsKey)]).size, 5);
});

test('secrets for the log are the endpoint and long values under secret names', async () => {
  using place = surroundings({ MCP_ENDPOINT: 'wss://m/?token=mmmmmm' });
  const env = { API_TOKEN: 'averylongsecret', TOKEN_LIMIT: '4096', NAME: 'averylongname' };
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: { a: { command: 'x', env } } }));
  const config = await loadConfig({ environment: place.environment, verb: 'bridge' });
  assert.deepEqual(secretsOf(config), ['wss://m/?token=mmmmmm', 'averylongsecret']);
});

test('of a remote server everything that may be a key is a secret: headers, parameters, long parts of the path', async () => {
  using place = surroundings({ MCP_ENDPOINT: 'wss://m/?token=mmmmmm' });
  const headers = { Authorization: 'Bearer bearer-key', 'X-Plain': 'plain-value', Accept: 'short' };
  const url = 'https://user:pass-word@h/mcp/s/0123456789abcdef/?k=parameter';
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: { a: { url, headers } } }));
  const secrets = secretsOf(await loadConfig({ environment: place.environment, verb: 'bridge' }));
  for (const secret of [url, 'bearer-key', 'plain-value', 'pass-word', '0123456789abcdef', 'parameter'])
    assert.ok(secrets.includes(secret), secret);
  assert.ok(!secrets.includes('short') && !secrets.includes('mcp'));
});

test('the key of a remote server changes with its address, its form and its headers', () => {
  const server = { command: '', args: [], env: {}, type: 'http' as const, url: 'https://h/mcp' };
  const others = [
    { ...server, url: 'https://g/mcp' },
    { ...server, type: 'sse' as const },
    { ...server, headers: { a: 'b' } },
  ];
  assert.equal(new Set([server, ...others].map(settingsKey)).size, 4);
});
