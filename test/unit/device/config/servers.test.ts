// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of the settings.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULTS } from '../../../../device/config/defaults.ts';
import { bundleFolder } from '../../../../device/config/places.ts';
import type { ServerSettings } from '../../../../device/config/server-settings.ts';
import { loadServers, serverCandidates } from '../../../../device/config/servers.ts';
import { surroundings } from './surroundings.ts';

const SERVERS = join(bundleFolder(), 'servers');

/** Loads entries as ./mcp_settings.json. */
async function load(entries: Record<string, unknown>, variables: Record<string, string> = {}) {
  using place = surroundings(variables);
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: entries }));
  const loaded = await loadServers({ environment: place.environment, verb: 'bridge' });
  const faults = loaded.servers.map(
    ({ name, fault }) => `${name}: ${fault ? `${fault.code} ${fault.message}` : 'good'}`,
  );
  return { ...loaded, faults, folder: place.folder };
}

const only = ({ servers }: { servers: readonly ServerSettings[] }): ServerSettings => {
  assert.equal(servers.length, 1);
  return servers[0]!;
};

test('without a file calculator, files and everyday run under the running Node', async () => {
  using place = surroundings();
  const { servers, problems, file } = await loadServers({ environment: place.environment, verb: 'run' });
  assert.deepEqual({ problems, file }, { problems: [], file: undefined });
  const expected = ['calculator', 'files', 'everyday'].map((name) => ({
    name,
    type: 'stdio',
    command: '/opt/node/bin/node',
    args: [join(SERVERS, `${name}.js`)],
    env: {},
    disabled: false,
    builtin: true,
  }));
  assert.deepEqual(servers, expected);
});

test('bridge looks at the argument, $MCP_CONFIG and the working folder', () => {
  using place = surroundings({ MCP_CONFIG: 'x.json' });
  const { environment, folder } = place;
  const found = serverCandidates({
    environment,
    verb: 'bridge',
    argument: 'y.json',
    appliance: '/etc/a/appliance.toml',
  });
  assert.deepEqual(
    found.map(({ path }) => path),
    ['y.json', 'x.json', join(folder, 'mcp_settings.json')],
  );
});

test('run looks at the setting, $MCP_CONFIG, the working folder and beside appliance.toml', () => {
  using place = surroundings({ MCP_CONFIG: 'x.json' });
  const { environment, folder } = place;
  const settings = { ...DEFAULTS, servers: { ...DEFAULTS.servers, file: '/srv/s.json' } };
  const found = serverCandidates({ environment, verb: 'run', appliance: '/etc/a/appliance.toml', settings });
  assert.deepEqual(
    found.map(({ path }) => path),
    ['/srv/s.json', 'x.json', join(folder, 'mcp_settings.json'), '/etc/a/mcp_settings.json'],
  );
});

test('a file that $MCP_CONFIG names but that is missing gives no servers, and says so', async () => {
  using place = surroundings({ MCP_CONFIG: 'gone.json' });
  const { servers, problems } = await loadServers({ environment: place.environment, verb: 'run' });
  assert.deepEqual(servers, []);
  assert.equal(problems[0]?.code, 'CONFIG_MISSING');
});

test('an entry is read whole, in the order of the file', async () => {
  const loaded = await load({
    zeta: {
      type: 'stdio',
      command: 'python3',
      args: ['-m', 'x'],
      env: { A: '1' },
      cwd: 'sub',
      disabled: false,
    },
    alpha: { command: 'a', disabled: true },
  });
  assert.deepEqual(loaded.problems, []);
  assert.deepEqual(loaded.servers, [
    {
      name: 'zeta',
      type: 'stdio',
      command: 'python3',
      args: ['-m', 'x'],
      env: { A: '1' },
      cwd: join(loaded.folder, 'sub'),
      disabled: false,
      builtin: false,
    },
    { name: 'alpha', type: 'stdio', command: 'a', args: [], env: {}, disabled: true, builtin: false },
  ]);
});

test('an entry under the name of a built-in server without a command is that server', async () => {
  const server = only(await load({ calculator: { env: { X: '1' } } }));
  assert.equal(server.command, '/opt/node/bin/node');
  assert.deepEqual(server.args, [join(SERVERS, 'calculator.js')]);
  assert.deepEqual([server.builtin, server.env, server.fault], [true, { X: '1' }, undefined]);
});

test('with a command of its own it is what the command says', async () => {
  const server = only(await load({ calculator: { command: 'bc' } }));
  assert.deepEqual([server.command, server.builtin], ['bc', false]);
});

test('a built-in server can run under another name by ${AIVOICE_SERVERS}', async () => {
  const server = only(await load({ photos: { command: 'node', args: ['${AIVOICE_SERVERS}/files.js'] } }));
  assert.deepEqual(server.args, [join(SERVERS, 'files.js')]);
  assert.equal(server.builtin, true);
});

test('one bad entry is kept with its fault and the others run', async () => {
  const { faults } = await load({
    good: { command: 'x' },
    bad: { command: 5 },
    none: {},
    odd: 7,
    also: { command: 'y' },
  });
  assert.deepEqual(faults, [
    'good: good',
    'bad: CONFIG_INVALID mcpServers.bad.command: expected text, got 5',
    'none: CONFIG_INVALID mcpServers.none.command: expected text, got nothing',
    'odd: CONFIG_INVALID mcpServers.odd: expected {…}, got 7',
    'also: good',
  ]);
});

test('a name that is not one word is quoted in the path', async () => {
  assert.deepEqual((await load({ 'my files': { command: 5 } })).faults, [
    'my files: CONFIG_INVALID mcpServers."my files".command: expected text, got 5',
  ]);
});

test('variables are replaced in command, args, env, cwd, url and headers, with defaults as in a shell', async () => {
  const variables = { DIR: '/d', EMPTY: '', DOLLAR: '${DIR}' };
  const { servers, problems } = await load(
    {
      a: {
        command: '${DIR}/run',
        args: ['${EMPTY:-e}', '${EMPTY}', '${NONE:-}', '${NONE:-a b}', '$DIR', '${DOLLAR}', '${a-b}'],
        env: { K: 'x${DIR}${DIR}' },
        cwd: '${DIR}/w',
      },
      b: { url: 'https://${HOST:-h}/x', headers: { Authorization: 'Bearer ${KEY:-k}' } },
    },
    variables,
  );
  assert.deepEqual(problems, []);
  const [a, b] = servers;
  assert.equal(a?.command, '/d/run');
  assert.deepEqual(a?.args, ['e', '', '', 'a b', '$DIR', '${DIR}', '${a-b}']);
  assert.deepEqual([a?.env, a?.cwd], [{ K: 'x/d/d' }, '/d/w']);
  assert.deepEqual([b?.url, b?.headers], ['https://h/x', { Authorization: 'Bearer k' }]);
});

test('a variable that is not set is the fault of its entry and of no other, and it is named', async () => {
  const { faults } = await load({ a: { command: 'x', env: { K: '${GONE}' } }, b: { command: 'y' } });
  assert.deepEqual(faults, [
    'a: CONFIG_VARIABLE mcpServers.a.env.K: the variable GONE is not set (a default is written ${GONE:-default})',
    'b: good',
  ]);
});

test('a server that is switched off may lack its variables', async () => {
  assert.deepEqual((await load({ a: { command: '${GONE}', disabled: true } })).faults, ['a: good']);
});

test('a command that its variables leave empty is a fault', async () => {
  assert.deepEqual((await load({ a: { command: '${GONE:-}' } })).faults, [
    'a: CONFIG_INVALID mcpServers.a.command: expected text, got ""',
  ]);
});

test("the appliance's own key is given to no server", async () => {
  const { faults } = await load(
    {
      a: { command: 'x', args: ['${MCP_ENDPOINT}'] },
      b: { command: 'x', env: { E: '${AIVOICE_ENDPOINT:-}' } },
    },
    { MCP_ENDPOINT: 'wss://h/?token=CANARY', AIVOICE_ENDPOINT: 'wss://h/?token=CANARY' },
  );
  assert.deepEqual(faults, [
    'a: CONFIG_VARIABLE mcpServers.a.args[0]: MCP_ENDPOINT is the key of this appliance and is given to no server',
    'b: CONFIG_VARIABLE mcpServers.b.env.E: AIVOICE_ENDPOINT is the key of this appliance and is given to no server',
  ]);
});

test('the spelling of other programs for a variable is named, not passed on as text', async () => {
  const { faults } = await load({ a: { command: 'x', args: ['${env:HOME}'] } });
  assert.deepEqual(faults, ['a: CONFIG_VARIABLE mcpServers.a.args[0]: expected ${HOME}, got ${env:HOME}']);
});

test('a misspelt key is a fault that names the nearest; a foreign key is a warning', async () => {
  const { faults, problems } = await load({
    a: { comand: 'x' },
    b: { command: 'x', arg: ['y'] },
    c: { command: 'x', enabled: false },
    d: { cmd: 'x' },
    e: { command: 'x', autoApprove: [], timeout: 5 },
    calculator: { Command: 'x' },
  });
  const message = (name: string, key: string, near: string) => {
    return `${name}: CONFIG_UNKNOWN_KEY mcpServers.${name}.${key}: there is no such setting; did you mean "${near}"?`;
  };
  assert.deepEqual(faults, [
    message('a', 'comand', 'command'),
    message('b', 'arg', 'args'),
    message('c', 'enabled', 'disabled'),
    message('d', 'cmd', 'command'),
    'e: good',
    message('calculator', 'Command', 'command'),
  ]);
  const warnings = problems.filter(({ severity }) => severity === 'warning').map(({ path }) => path);
  assert.deepEqual(warnings, ['mcpServers.e.autoApprove', 'mcpServers.e.timeout']);
});

test('remote servers are accepted in every spelling', async () => {
  const { servers, faults, problems } = await load({
    a: { type: 'sse', url: 'http://h/sse' },
    b: { type: 'http', url: 'https://h/mcp' },
    c: { type: 'streamable-http', url: 'https://h/mcp' },
    d: { type: 'streamableHttp', url: 'https://h/mcp' },
    e: { url: 'https://h/mcp' },
    f: { url: 'https://h/mcp', disabled: true },
  });
  assert.deepEqual(
    servers.map(({ type }) => type),
    ['sse', 'http', 'http', 'http', 'http', 'http'],
  );
  assert.ok(faults.every((fault) => /: good$/.test(fault)));
  assert.deepEqual(problems, []);
});

test('an unknown type and a remote server without a proper address are faults, the address unrepeated', async () => {
  const { faults } = await load({
    a: { type: 'websocket', command: 'x' },
    b: { type: 'http' },
    c: { type: 'sse', url: 'CANARY' },
  });
  assert.deepEqual(faults, [
    'a: CONFIG_INVALID mcpServers.a.type: expected "stdio" or "sse" or "http", got "websocket"',
    'b: CONFIG_INVALID mcpServers.b.url: expected an http:// or https:// address, got nothing',
    'c: CONFIG_INVALID mcpServers.c.url: expected an http:// or https:// address, got other text',
  ]);
});

test('names and values that would break what runs them are faults', async () => {
  const { faults } = await load({
    '': { command: 'x' },
    'a\nb': { command: 'x' },
    ok: { command: 'x\0y' },
    env: { command: 'x', env: { 'A=B': '1' } },
    キッチン: { command: 'x' },
  });
  assert.deepEqual(
    faults.map((fault) => /(: good|CONFIG_INVALID)/.exec(fault)?.[1]),
    ['CONFIG_INVALID', 'CONFIG_INVALID', 'CONFIG_INVALID', 'CONFIG_INVALID', ': good'],
  );
});

test('names of the language itself are ordinary names', async () => {
  using place = surroundings();
  place.write(
    'mcp_settings.json',
    '{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "1"}}, "constructor": {"command": "y"}}}',
  );
  const { servers } = await loadServers({ environment: place.environment, verb: 'bridge' });
  assert.deepEqual(
    servers.map(({ name, command }) => `${name} ${command}`),
    ['__proto__ x', 'constructor y'],
  );
});
