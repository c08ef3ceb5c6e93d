import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { makeCertificate } from '../cloud/certificate.ts';
import { type CloudOptions, startCloud } from '../cloud/cloud.ts';
import { freeze, reset, resetInMidFrame } from '../cloud/faults.ts';
import type { Message } from '../cloud/message.ts';
import { checkAsConsole, openRobot } from '../cloud/self-hosted.ts';
import { makeJwt } from '../cloud/token.ts';

/** The smallest client that a cloud can be content with: one tool, `echo`. */
function dial(endpoint: string, answers: Record<string, (message: Message) => unknown> = {}) {
  const socket = new WebSocket(endpoint, { rejectUnauthorized: false });
  const heard: Message[] = [];
  const methods: typeof answers = {
    initialize: () => ({ protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'doll' } }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params) }] }),
    ...answers,
  };
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    heard.push(message);
    const result = message.id === undefined ? undefined : methods[message.method ?? '']?.(message);
    if (result !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', (code) => resolve(String(code)));
  });
  return { socket, heard, ended };
}

const tolerant: CloudOptions = { tolerant: true };

describe('the bench cloud', () => {
  it('speaks first as the real cloud does, with id 0', async () => {
    await using cloud = await startCloud();
    const { heard } = dial(cloud.endpoint);
    assert.deepEqual(
      (await cloud.tools()).map(({ name }) => name),
      ['echo'],
    );
    const [hello, initialized, list] = heard;
    assert.equal(hello?.id, 0);
    assert.deepEqual((hello!.params as { clientInfo: unknown }).clientInfo, {
      name: 'xz-mcp-broker',
      version: '0.0.1',
    });
    assert.deepEqual(initialized, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual(list, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const { content } = await cloud.call('echo', { text: 'a' });
    assert.equal(content[0]?.text, '{"name":"echo","arguments":{"text":"a"},"serialNumber":null}');
    assert.equal(heard[3]?.id, 2);
  });

  it('closes with 4004 when a ping stays unanswered', async () => {
    await using cloud = await startCloud({ times: { pingMs: 20, pingLostMs: 50 } });
    const { ended } = dial(cloud.endpoint, { ping: () => undefined });
    assert.equal(await ended, '4004');
  });

  it('closes with 4004 when initialize stays unanswered', async () => {
    await using cloud = await startCloud({ times: { handshakeMs: 50 } });
    assert.equal(await dial(cloud.endpoint, { initialize: () => undefined }).ended, '4004');
  });

  it('refuses a wrong key at the upgrade, or after it where it is self-hosted', async () => {
    await using real = await startCloud();
    await using broker = await startCloud({ mode: 'self-hosted' });
    const wrong = encodeURIComponent(makeJwt());
    assert.match(await dial(real.endpoint.replace(/token=.*/, `token=${wrong}`)).ended, /401/);
    assert.equal(await dial(broker.endpoint.replace(/token=.*/, `token=${wrong}`)).ended, '1008');
    assert.match(await dial(real.endpoint.replace('/mcp/', '/other/')).ended, /404/);
  });

  it('lets several robots talk at once over a self-hosted socket, each with its own numbers', async () => {
    await using cloud = await startCloud({ mode: 'self-hosted' });
    const { heard } = dial(cloud.endpoint);
    const line = await cloud.ready();
    const robots = await Promise.all([openRobot(line), openRobot(line)]);
    await Promise.all(robots.map((robot) => robot.call('echo', { text: 'a' })));
    assert.deepEqual(await checkAsConsole(line), ['echo']);
    const ids = heard.filter(({ method }) => method === 'tools/call').map(({ id }) => String(id));
    assert.equal(
      ids.every((id) => id.endsWith('_n_1')),
      true,
    );
    assert.equal(new Set(ids).size, 2);
  });

  it('can reset a line, also in the middle of a frame, and can stop listening', async () => {
    await using cloud = await startCloud();
    const first = dial(cloud.endpoint);
    await reset(await cloud.ready());
    assert.match(await first.ended, /1006|ECONNRESET/);
    const second = dial(cloud.endpoint);
    await cloud.connection(2);
    await resetInMidFrame(await cloud.ready());
    assert.match(await second.ended, /1006|ECONNRESET/);
    cloud.stopListening();
    assert.match(await dial(cloud.endpoint).ended, /ECONNREFUSED/);
    await cloud.listen();
    cloud.nextWelcomes.push({ status: 500 }, { reset: true });
    assert.match(await dial(cloud.endpoint).ended, /500/);
    assert.match(await dial(cloud.endpoint).ended, /hang up|ECONNRESET/);
    dial(cloud.endpoint);
    await cloud.connection(3);
    assert.equal(cloud.dials.length, 5);
  });

  it('answers nothing on a frozen line and still counts it as a socket', async () => {
    await using cloud = await startCloud(tolerant);
    const { socket } = dial(cloud.endpoint);
    freeze(await cloud.ready());
    const ponged = new Promise((resolve) => socket.once('pong', () => resolve('pong')));
    socket.ping();
    assert.equal(await Promise.race([ponged, new Promise((resolve) => setTimeout(resolve, 100))]), undefined);
    dial(cloud.endpoint);
    await cloud.connection(2);
    assert.deepEqual(cloud.complaints, ['connection 2: 2 sockets at a time']);
  });

  it('does not count a socket that the other side has closed', async () => {
    await using cloud = await startCloud();
    const { socket } = dial(cloud.endpoint);
    freeze(await cloud.ready());
    socket.terminate();
    dial(cloud.endpoint);
    await cloud.connection(2);
    assert.deepEqual(cloud.complaints, []);
  });

  it('complains of what is no JSON-RPC and of answers to nothing', async () => {
    await using cloud = await startCloud(tolerant);
    const { socket } = dial(cloud.endpoint);
    await cloud.ready();
    for (const frame of ['hello', '{"method":"y"}', '{"jsonrpc":"2.0","id":77,"result":{}}'])
      socket.send(frame);
    socket.send(Buffer.from('{"jsonrpc":"2.0","method":"x"}'), { binary: true });
    const line = await cloud.connection(1);
    await line.expect('the last frame', ({ message }) => message?.method === 'x', 1000);
    assert.deepEqual(
      cloud.complaints.map((complaint) => complaint.replace(/^connection 1: (.*?): .*/, '$1')),
      ['not a JSON object', 'no "jsonrpc":"2.0"', 'an answer that nobody asked for', 'a binary frame'],
    );
  });

  it('serves TLS with a certificate of its own making', async () => {
    const certificate = makeCertificate();
    await using cloud = await startCloud({ certificate });
    dial(cloud.endpoint);
    await cloud.ready();
    const strict = new WebSocket(cloud.endpoint);
    const refused = await new Promise<string>((resolve) => {
      strict.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
    });
    assert.equal(refused, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    const trusting = new WebSocket(cloud.endpoint, { ca: certificate.cert });
    await new Promise((resolve, reject) => trusting.on('open', resolve).on('error', reject));
    cloud.complaints.length = 0; // the two sockets are this test's own doing
  });
});
