import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import type { PartLine } from '../../../device/supervisor/status.ts';
import { startCloud } from '../../cloud/cloud.ts';
import { textOf } from '../../cloud/message.ts';
import { proves } from '../../promises.ts';
import { fixture, startAppliance } from '../appliance.ts';
import { startHostile, TRICKS } from './hostile.ts';
import { WebServer } from './web-server.ts';

const KEY = 'k3y-of-the-remote-server';
const headers = { 'X-Key': KEY };
const SETTINGS = `
[restart]
first_ms = 50
max_ms = 500
[servers]
start_timeout_ms = 800
[bridge]
call_timeout_ms = 700
`;

it('whatever answers a handshake badly has its own code, and disturbs nobody', async () => {
  proves('remote-faults');
  const webs = new AsyncDisposableStack();
  await using _webs = webs;
  const codes: Record<string, string> = {
    unauthorized: 'REMOTE_REFUSED',
    forbidden: 'REMOTE_ERROR',
    overloaded: 'REMOTE_ERROR',
    html: 'REMOTE_ANSWER',
    garbage: 'REMOTE_ANSWER',
    other: 'REMOTE_ANSWER',
    circle: 'REMOTE_REDIRECT',
    elsewhere: 'REMOTE_REDIRECT',
    broken: 'REMOTE_ERROR',
    half: 'REMOTE_ERROR',
    mute: 'REMOTE_ANSWER',
    bigEvent: 'TOO_LARGE',
    bigJson: 'TOO_LARGE',
    endless: 'SERVER_TIMEOUT',
    silent: 'SERVER_TIMEOUT',
    nowhere: 'REMOTE_DOWN',
    noHttp: 'REMOTE_ANSWER',
    sseHtml: 'REMOTE_ANSWER',
    sseElsewhere: 'REMOTE_ANSWER',
    sseRedirect: 'REMOTE_REDIRECT',
    sseBig: 'TOO_LARGE',
    sseSilent: 'SERVER_TIMEOUT',
    sseShort: 'REMOTE_DOWN',
  };
  const other = webs.use(await WebServer.start((_, response) => response.end()));
  const events = (text: string, isOver = false): (typeof TRICKS)[string] => {
    return (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (isOver) response.end(text);
      else response.write(text);
    };
  };
  const elsewhere: (typeof TRICKS)[string] = (response) => {
    response.writeHead(307, { location: `${other.url}/mcp` }).end();
  };
  const tricks: typeof TRICKS = {
    ...TRICKS,
    elsewhere,
    sseHtml: TRICKS.html!,
    sseElsewhere: events(`event: endpoint\ndata: ${other.url}/messages\n\n`),
    sseRedirect: elsewhere,
    sseBig: events(`data: ${'x'.repeat(10 << 20)}`),
    sseSilent: events(': hello\n\n'),
    sseShort: events(': hello\n\n', true),
  };
  const servers: Record<string, object> = { near: fixture('tools.mjs') };
  for (const [name, trick] of Object.entries(tricks)) {
    const web = webs.use(
      await WebServer.start((request, response) => {
        request.resume();
        request.on('end', () => trick(response, 1));
      }),
    );
    servers[name] = {
      type: name.startsWith('sse') ? 'sse' : 'http',
      url: `${web.url}/mcp?k=${KEY}`,
      headers,
    };
  }
  const noHttp = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
  await once(noHttp, 'listening');
  webs.defer(() => void noHttp.close());
  servers.noHttp = { url: `http://127.0.0.1:${(noHttp.address() as AddressInfo).port}/` };
  servers.nowhere = { url: 'http://127.0.0.1:9/' };

  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers });
  for (const [name, code] of Object.entries(codes)) {
    let last = '';
    const isAsMeant = (part: PartLine) => {
      last = `${part.code} ${part.reason}`;
      return part.code === code;
    };
    await appliance
      .untilPart(name, isAsMeant, 5000)
      .catch(() => assert.fail(`${name}: ${code} is not ${last}`));
  }
  assert.equal(textOf(await cloud.call('echo', { text: 'near' })), 'near');
  assert.equal(other.seen.length, 0, 'no header went to another host');
  const told = appliance.log.map(({ text }) => text).join('\n') + JSON.stringify(await appliance.status());
  assert.doesNotMatch(told, new RegExp(KEY));
});

it('a bad answer costs its call and says why, and the session goes on', async () => {
  proves('remote-faults');
  await using remote = await startHostile();
  await using cloud = await startCloud();
  await using _appliance = startAppliance({
    cloud,
    settings: SETTINGS,
    servers: { far: { url: remote.url, headers, async: 'off' } },
  });
  const codes = {
    forbidden: 'REMOTE_ERROR',
    overloaded: 'REMOTE_ERROR',
    html: 'REMOTE_ANSWER',
    garbage: 'REMOTE_ANSWER',
    other: 'REMOTE_ANSWER',
    circle: 'REMOTE_REDIRECT',
    broken: 'REMOTE_ERROR',
    half: 'REMOTE_ERROR',
    mute: 'REMOTE_ANSWER',
    bigEvent: 'TOO_LARGE',
    bigJson: 'TOO_LARGE',
    endless: 'CALL_TIMEOUT',
    silent: 'CALL_TIMEOUT',
  };
  for (const [name, code] of Object.entries(codes)) {
    const { error } = await cloud.request('tools/call', { name, arguments: {} });
    assert.equal(
      (error?.data as { code?: string } | undefined)?.code,
      code,
      `${name}: ${JSON.stringify(error)}`,
    );
    assert.equal(textOf(await cloud.call('fine')), 'fine', name);
  }
  assert.equal(remote.counts.sessions, 1);
  while (remote.counts.open > 0) await cloud.call('fine');
  const { error } = await cloud.request('tools/call', { name: 'unauthorized', arguments: {} });
  assert.match(JSON.stringify(error), /REMOTE_REFUSED/);
});
