import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { aivoice } from './aivoice.ts';
import { type ApplianceOptions, fixture, startAppliance, TASK_TOOLS } from './appliance.ts';
import { Home, type ServerEntry } from './home.ts';
import { command } from './prerequisite.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const TOOLS = join(FIXTURES, 'tools.mjs');
const python = command('python3');
const ENDPOINT = { MCP_ENDPOINT: 'ws://127.0.0.1:9/mcp/?token=x' };

describe('`bridge` runs the servers', () => {
  it('of the file on its command line, else of MCP_CONFIG, else of ./mcp_settings.json, else the built-in ones', async () => {
    using home = new Home();
    home.write('given.json', settingsOf({ given: fixture('tools.mjs', 'given_') }));
    home.write('variable.conf', settingsOf({ variable: fixture('tools.mjs', 'variable_') }));
    const env = { MCP_CONFIG: 'variable.conf' };
    const servers = { here: fixture('tools.mjs', 'here_') };
    assert.ok((await toolsOf({ home, servers, env, args: ['given.json'] })).includes('given_echo'));
    assert.ok((await toolsOf({ home, servers, env })).includes('variable_echo'));
    assert.ok((await toolsOf({ home, servers })).includes('here_echo'));
    const builtIn = await toolsOf({});
    assert.deepEqual(
      ['calculate', 'list_dir', 'get_time'].filter((name) => builtIn.includes(name)),
      ['calculate', 'list_dir', 'get_time'],
    );
  });

  it('or one of them by its name, also where it is switched off', async () => {
    const servers = {
      one: fixture('tools.mjs', 'one_'),
      two: { ...fixture('tools.mjs', 'two_'), disabled: true },
    };
    const tools = await toolsOf({ servers, args: ['two'] });
    assert.deepEqual([tools.length, tools[0]], [7, 'two_echo']);
    assert.ok((await toolsOf({ args: ['everyday'] })).includes('get_time'));
  });

  it('or a program: .mjs with the running Node, a command after --, an executable', async () => {
    const before = { 'mcp_settings.json': '{ broken' };
    assert.equal((await toolsOf({ args: [TOOLS, 'script_'], files: before }))[0], 'script_echo');
    const line = ['--', process.execPath, TOOLS, 'command_', '--per-server'];
    assert.equal((await toolsOf({ args: line, files: before }))[0], 'command_echo');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${TOOLS}' "$@"\n`;
    assert.equal((await toolsOf({ args: ['./run me', 'own_'], files: { 'run me': script } }))[0], 'own_echo');
  });

  it('or a .py with python3', { skip: python.skip }, async () => {
    const tools = await toolsOf({ args: [join(FIXTURES, 'echo.py')] });
    assert.deepEqual(tools, ['py_echo', 'py_pid', 'py_fail', ...TASK_TOOLS]);
  });

  it('and says at once which program is not there, and which name was probably meant', async () => {
    using home = new Home();
    for (const [words, says] of [
      ['gone.mjs', /SERVER_NOT_FOUND: program not found: .*gone\.mjs/],
      ['gone.py', /SERVER_NOT_FOUND: program not found: .*gone\.py/],
      ['./gone', /SERVER_NOT_FOUND: command not found: .*gone/],
      ['-- gone x', /SERVER_NOT_FOUND: command not found: gone/],
      ['evryday', /SERVER_NOT_FOUND: command not found: evryday; did you mean everyday\?/],
      ['gone.json', /gone\.json: CONFIG_MISSING/],
    ] as const) {
      const { code, stderr } = await aivoice(home, ['bridge', ...words.split(' ')], { env: ENDPOINT });
      assert.equal(code, 2, words);
      assert.match(stderr, says);
    }
    home.write('mcp_settings.json', settingsOf({ bad: { ...fixture('tools.mjs'), type: 'odd' } }));
    const { code, stderr } = await aivoice(home, ['bridge', 'bad'], { env: ENDPOINT });
    assert.deepEqual([code, /mcpServers\.bad\.type: expected/.test(stderr)], [2, true]);
  });
});

it('--per-server opens a line for each server, with its own tools only', async () => {
  await using cloud = await startCloud({ sockets: 2 });
  const servers = { one: fixture('tools.mjs', 'one_'), two: fixture('tools.mjs', 'two_') };
  await using bridge = startAppliance({ verb: 'bridge', cloud, servers, args: ['--per-server'] });
  const lines = [await cloud.connection(1), await cloud.connection(2)];
  const lists = await Promise.all(lines.map((line) => line.tools()));
  const owners = lists.map((tools) => [...new Set(tools.map(({ name }) => name.slice(0, 4)))]);
  assert.deepEqual(owners.toSorted(), [['one_'], ['two_']]);
  const [first] = lines;
  const own = lists[0]?.[0]?.name ?? '';
  const other = lists[1]?.[0]?.name ?? '';
  assert.equal(textOf((await first?.session.call(own, { text: 'hi' }))!), 'hi');
  await assert.rejects(first!.session.call(other, { text: 'hi' }), /TOOL_UNKNOWN/);
  const named = bridge.log.filter(({ fields }) => fields.event === 'tools_listed');
  assert.deepEqual(named.map(({ fields }) => fields.service).toSorted(), ['cloud:one', 'cloud:two']);
});

it('what a server writes to stderr stands in the log under its name', async () => {
  await using cloud = await startCloud();
  const says = "console.error('本日は晴天'); process.stderr.write('no newline'); setTimeout(() => {}, 60000)";
  await using bridge = startAppliance({
    verb: 'bridge',
    cloud,
    servers: {
      'my server': {
        command: process.execPath,
        args: ['-e', `${says}; process.stdin.resume().on('end', () => process.exit())`],
      },
    },
  });
  const line = await bridge.logged('its words', ({ fields }) => fields.event === 'stderr');
  assert.deepEqual([line.fields.service, line.fields.text], ['my server', '本日は晴天']);
});

it('a server may have the name of a part of ours', async () => {
  await using cloud = await startCloud();
  const servers = { cloud: fixture('tools.mjs', 'a_'), settings: fixture('tools.mjs', 'b_') };
  await using appliance = startAppliance({ cloud, servers, settings: '[bridge]\nprefix = "always"\n' });
  assert.equal(textOf(await cloud.call('server-cloud__a_echo', { text: 'hi' })), 'hi');
  const { parts } = await appliance.until('ready', ({ state }) => state === 'ready');
  const names = ['server:cloud', 'server:settings', 'cloud', 'control', 'settings'];
  assert.deepEqual(parts.map(({ name }) => name).toSorted(), names.toSorted());
});

for (const [mode, setting, most] of [
  ['real', 'auto', 8000],
  ['self-hosted', 'auto', Number.POSITIVE_INFINITY],
  ['self-hosted', 1000, 1000],
  ['real', 'off', Number.POSITIVE_INFINITY],
] as const) {
  it(`result_budget = ${setting} toward a ${mode} cloud: at most ${most} bytes of result`, async () => {
    await using cloud = await startCloud({ mode });
    const settings = `[bridge]\nresult_budget = ${JSON.stringify(setting)}\n`;
    await using _bridge = startAppliance({
      verb: 'bridge',
      cloud,
      settings,
      servers: { tools: fixture('tools.mjs') },
    });
    const result = await cloud.call('blob', { bytes: 30_000 });
    const bytes = Buffer.byteLength(JSON.stringify(result));
    assert.ok(bytes <= most, `${bytes} bytes`);
    if (most > 30_000) assert.equal(textOf(result).length, 30_000);
    else assert.match(textOf(result), /^x{500,}… \[truncated: .*; 30000 bytes in all\]$/);
  });
}

/** Starts `bridge` with these options and these files in its folder, and returns the names of the tools that the cloud is told. */
async function toolsOf({
  files = {},
  ...options
}: Omit<ApplianceOptions, 'cloud' | 'verb'> & { files?: Readonly<Record<string, string>> }): Promise<
  string[]
> {
  using own = new Home();
  const home = options.home ?? own;
  for (const [name, text] of Object.entries(files)) home.write(name, text, 0o755);
  await using cloud: Cloud = await startCloud();
  await using _bridge = startAppliance({ ...options, home, cloud, verb: 'bridge' });
  return (await cloud.tools()).map(({ name }) => name);
}

function settingsOf(mcpServers: Readonly<Record<string, ServerEntry>>): string {
  return JSON.stringify({ mcpServers });
}
