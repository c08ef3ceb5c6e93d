import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../../cloud/cloud.ts';
import { textOf } from '../../cloud/message.ts';
import { fixture, startAppliance } from '../appliance.ts';
import { startOfficial } from './official.ts';
import { bodyOf, WebServer } from './web-server.ts';

const SETTINGS = `
[restart]
first_ms = 20
max_ms = 200
max_restarts = 1000
[servers]
start_timeout_ms = 500
ping_ms = 150
ping_timeout_ms = 150
`;

for (const type of ['http', 'sse'] as const) {
  it(`a server behind ${type} that goes silent is found by its pings, and is back when it speaks again`, async () => {
    await using remote = await startOfficial(type);
    await using cloud = await startCloud();
    const servers = { near: fixture('tools.mjs', 'near_'), far: { type, url: remote.url } };
    await using appliance = startAppliance({ cloud, settings: SETTINGS, servers });
    assert.equal(textOf(await cloud.call('echo', { text: 'there' })), 'there');
    remote.web.mute = true;
    await appliance.untilPart('far', ({ state }) => state === 'starting' || state === 'failed');
    const { error } = await cloud.request('tools/call', { name: 'echo', arguments: {} });
    assert.match(JSON.stringify(error), /SERVER_NO_ANSWER|SERVER_TIMEOUT/);
    assert.equal(textOf(await cloud.call('near_echo', { text: 'near' })), 'near');
    remote.web.mute = false;
    await appliance.untilPart('far', ({ state }) => state === 'ready');
    assert.equal(textOf(await cloud.call('echo', { text: 'again' })), 'again');
  });
}

it('a key that is refused is told as such, and works as soon as the server takes it again', async () => {
  await using remote = await startOfficial('http');
  await using cloud = await startCloud();
  const far = { url: remote.url, headers: { Authorization: 'Bearer old' }, async: 'off' };
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers: { far } });
  assert.equal(textOf(await cloud.call('echo', { text: 'taken' })), 'taken');
  remote.web.before = (_, response) => {
    response.writeHead(401).end();
    return true;
  };
  await appliance.untilPart('far', ({ state, code }) => state === 'failed' && code === 'REMOTE_REFUSED');
  const { error } = await cloud.request('tools/call', { name: 'echo', arguments: {} });
  assert.match(JSON.stringify(error), /REMOTE_REFUSED/);
  remote.web.before = () => false;
  await appliance.untilPart('far', ({ state }) => state === 'ready');
  assert.equal(textOf(await cloud.call('echo', { text: 'taken again' })), 'taken again');
});

it('an appliance that stops tells the server that its session is over', async () => {
  await using remote = await startOfficial('http');
  await using cloud = await startCloud();
  {
    await using _appliance = startAppliance({ cloud, servers: { far: { url: remote.url } } });
    await cloud.call('echo', { text: '' });
  }
  assert.equal(remote.web.seen.at(-1)?.method, 'DELETE');
});

it('a redirect within the host is followed, headers and all', async () => {
  await using remote = await startOfficial('http');
  remote.web.before = (request, response) => {
    if (request.url !== '/old') return false;
    response.writeHead(307, { location: '/mcp' }).end();
    return true;
  };
  await using cloud = await startCloud();
  const far = { url: `${remote.web.url}/old`, headers: { 'X-Key': 'key' } };
  await using _appliance = startAppliance({ cloud, servers: { far } });
  assert.equal(textOf(await cloud.call('echo', { text: 'moved' })), 'moved');
  for (const { headers } of remote.web.seen) assert.equal(headers['x-key'], 'key');
});

it('a stream that ends again and again is not asked for in a tight loop', async () => {
  let streams = 0;
  await using web = await WebServer.start(async (request, response) => {
    if (request.method === 'GET') {
      streams++;
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\n\n');
    }
    const { id, method } = JSON.parse((await bodyOf(request)) || '{}') as { id?: unknown; method?: string };
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'h', version: '1' },
      },
      'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [] },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} }));
  });
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, servers: { far: { url: web.url } } });
  const from = performance.now();
  while (streams < 3) await cloud.call('wait');
  assert.ok(performance.now() - from > 1500, `3 streams in ${performance.now() - from} ms`);
});

it('the library of remote servers is loaded only where there is one', async () => {
  await using remote = await startOfficial('http');
  for (const [servers, isLoaded] of [
    [{ near: fixture('tools.mjs') }, false],
    [{ near: fixture('tools.mjs'), far: { url: remote.url, disabled: true } }, false],
    [{ far: { url: remote.url } }, true],
  ] as const) {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ cloud, servers, env: { NODE_DEBUG: 'module' } });
    await cloud.call('echo', { text: '' });
    assert.equal(
      appliance.log.some(({ text }) => /chunks\/remote-/.test(text)),
      isLoaded,
    );
  }
});
