import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadServers } from '../../../../device/config/servers.ts';
import { surroundings } from './surroundings.ts';

async function load(entry: object) {
  using place = surroundings();
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: { a: { command: 'x', ...entry } } }));
  const { servers, problems } = await loadServers({ environment: place.environment, verb: 'bridge' });
  return { server: servers[0]!, problems: problems.map(({ code, path }) => [code, path]) };
}

test('a server says when its calls become tasks, and which of its tools differ', async () => {
  assert.equal((await load({})).server.async, undefined);
  const { server, problems } = await load({
    async: 'always',
    asyncWaitMs: 0,
    asyncTools: { quick: 'off', slow: 'auto' },
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(server.async, { mode: 'always', waitMs: 0, tools: { quick: 'off', slow: 'auto' } });
  assert.deepEqual((await load({ asyncWaitMs: 25_000 })).server.async, { waitMs: 25_000 });
});

test('a tool may differ in its wait too, and what it does not say is left to its server', async () => {
  const asyncTools = {
    search: { async: 'auto', asyncWaitMs: 500 },
    backup: { async: 'always' },
    scan: { asyncWaitMs: 0 },
    list: {},
  };
  const { server, problems } = await load({ asyncTools });
  assert.deepEqual(problems, []);
  assert.deepEqual(server.async, {
    tools: {
      search: { mode: 'auto', waitMs: 500 },
      backup: { mode: 'always' },
      scan: { waitMs: 0 },
      list: {},
    },
  });
});

test('what is wrong in it is a fault of its entry, at its place', async () => {
  for (const [entry, code, path] of [
    [{ async: 'never' }, 'CONFIG_INVALID', 'mcpServers.a.async'],
    [{ async: true }, 'CONFIG_INVALID', 'mcpServers.a.async'],
    [{ asyncWaitMs: -1 }, 'CONFIG_INVALID', 'mcpServers.a.asyncWaitMs'],
    [{ asyncWaitMs: 25_001 }, 'CONFIG_INVALID', 'mcpServers.a.asyncWaitMs'],
    [{ asyncWaitMs: 1.5 }, 'CONFIG_INVALID', 'mcpServers.a.asyncWaitMs'],
    [{ asyncWaitMs: '1000' }, 'CONFIG_INVALID', 'mcpServers.a.asyncWaitMs'],
    [{ asyncTools: ['slow'] }, 'CONFIG_INVALID', 'mcpServers.a.asyncTools'],
    [{ asyncTools: { slow: 'sometimes' } }, 'CONFIG_INVALID', 'mcpServers.a.asyncTools.slow'],
    [{ asyncTools: { slow: 500 } }, 'CONFIG_INVALID', 'mcpServers.a.asyncTools.slow'],
    [{ asyncTools: { slow: ['auto'] } }, 'CONFIG_INVALID', 'mcpServers.a.asyncTools.slow'],
    [{ asyncTools: { slow: { async: true } } }, 'CONFIG_INVALID', 'mcpServers.a.asyncTools.slow.async'],
    [
      { asyncTools: { slow: { asyncWaitMs: 25_001 } } },
      'CONFIG_INVALID',
      'mcpServers.a.asyncTools.slow.asyncWaitMs',
    ],
    [{ asyncTools: { slow: { waitMs: 5 } } }, 'CONFIG_UNKNOWN_KEY', 'mcpServers.a.asyncTools.slow.waitMs'],
    [{ async_wait_ms: 5 }, 'CONFIG_UNKNOWN_KEY', 'mcpServers.a.async_wait_ms'],
  ] as const) {
    const { server, problems } = await load(entry);
    assert.deepEqual(problems, [[code, path]]);
    assert.equal(server.fault?.code, code);
  }
});
