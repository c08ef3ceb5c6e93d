import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadServers } from '../../../../device/config/servers.ts';
import { surroundings } from './surroundings.ts';

async function load(entry: object) {
  using place = surroundings();
  place.write('mcp_settings.json', JSON.stringify({ mcpServers: { a: { command: 'x', ...entry } } }));
  const { servers, problems } = await loadServers({ environment: place.environment, verb: 'bridge' });
  return { server: servers[0]!, problems: problems.map(({ code, path, detail }) => [code, path, detail]) };
}

test('tools are chosen and renamed by the names of their server', async () => {
  const tools = { include: ['a', 'b'], exclude: ['b'], rename: { a: 'c' } };
  const { server, problems } = await load({ tools });
  assert.deepEqual(problems, []);
  assert.deepEqual(server.tools, tools);
  assert.equal((await load({})).server.tools, undefined);
  assert.deepEqual((await load({ tools: {} })).server.tools, {});
});

test('what is wrong in a choice is a fault of its entry, at its place', async () => {
  for (const [tools, code, path] of [
    ['a', 'CONFIG_INVALID', 'mcpServers.a.tools'],
    [{ include: 'a' }, 'CONFIG_INVALID', 'mcpServers.a.tools.include'],
    [{ exclude: ['a', 5] }, 'CONFIG_INVALID', 'mcpServers.a.tools.exclude'],
    [{ exclude: [''] }, 'CONFIG_INVALID', 'mcpServers.a.tools.exclude'],
    [{ rename: ['a'] }, 'CONFIG_INVALID', 'mcpServers.a.tools.rename'],
    [{ rename: { a: 5 } }, 'CONFIG_INVALID', 'mcpServers.a.tools.rename'],
    [{ includes: ['a'] }, 'CONFIG_UNKNOWN_KEY', 'mcpServers.a.tools.includes'],
  ] as const) {
    const { server, problems } = await load({ tools });
    assert.deepEqual(problems[0]?.slice(0, 2), [code, path]);
    assert.equal(server.fault?.code, code);
  }
});

test('headers that HTTP cannot carry and a CA file that is none are faults, the values unrepeated', async () => {
  const remote = { command: undefined, url: 'https://h/mcp' };
  for (const [entry, path] of [
    [{ headers: { 'X-Key': 'secret\nvalue' } }, 'mcpServers.a.headers'],
    [{ headers: { 'X Key': 'v' } }, 'mcpServers.a.headers."X Key"'],
    [{ caFile: 'nowhere.pem' }, 'mcpServers.a.caFile'],
    [{ ca_file: 'nowhere.pem' }, 'mcpServers.a.ca_file'],
  ] as const) {
    const { server, problems } = await load({ ...remote, ...entry });
    assert.equal(problems[0]?.[1], path);
    assert.doesNotMatch(JSON.stringify(problems), /secret/);
    assert.ok(server.fault);
  }
});
