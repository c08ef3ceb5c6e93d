import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../../device/kernel/clock.ts';
import { Fault } from '../../../device/kernel/fault.ts';
import { openSession, type SessionOptions } from '../../../device/voice/session/open-session.ts';
import { makeCertificate } from '../../cloud/certificate.ts';
import { FakeClock } from '../../unit/fake-clock.ts';
import { Peer, SECRET } from '../peer.ts';

const PATIENT = { timeout: 20_000 };

const IDENTITY = { deviceId: '02:00:00:00:00:01', clientId: '6b0f4c0e-8a5e-4b53-9d0f-0d3a3c2f1e11' };

const HELLO = JSON.stringify({ type: 'hello', transport: 'websocket', session_id: 's-1' });

function open(peer: Peer, options: Partial<SessionOptions> = {}, scheme = 'ws') {
  const settings = { dialMs: 5000, helloAgainMs: 4000, helloTimeoutMs: 5000, silenceMs: 120_000 };
  const url = `${scheme}://127.0.0.1:${peer.port}/v1/?key=${SECRET}`;
  const credentials = { url, token: SECRET, version: 1 } as const;
  const all = { ...settings, credentials, identity: IDENTITY, clock: systemClock, ...options };
  return openSession(all, new AbortController().signal);
}

/** Opens in vain; returns why. Neither the address nor the token is told. */
async function refusal(opening: Promise<unknown>): Promise<string> {
  try {
    await opening;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    const told = `${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''}`;
    assert.ok(!told.includes(SECRET) && !told.includes('127.0.0.1'), told);
    return error.code;
  }
  throw new Error('the session opened');
}

async function allClosed(peer: Peer): Promise<void> {
  for (const raw of peer.raws) if (!raw.closed) await once(raw, 'close');
}

test(
  'a session over a real socket: headers, hello, a burst in its order, sound both ways, a polite end',
  PATIENT,
  async () => {
    let said: (message: string) => void = () => {};
    const up = new Promise<string>((resolve) => {
      said = resolve;
    });
    let closed: (code: number) => void = () => {};
    const close = new Promise<number>((resolve) => {
      closed = resolve;
    });
    await using peer = await Peer.listen((socket) => {
      // Before any hello: the cloud's MCP client is as quick as that (cloud protocol 2.9).
      socket.send(JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: 1, method: 'initialize' } }));
      socket.on('close', closed);
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) return said(data.toString('hex'));
        if ((JSON.parse(data.toString()) as { type: string }).type !== 'hello') return;
        socket.send(HELLO);
        socket.send(JSON.stringify({ type: 'tts', state: 'start' }));
        for (let index = 0; index < 100; index++) socket.send(Buffer.of(index));
        socket.send(JSON.stringify({ type: 'tts', state: 'stop' }));
      });
    });
    const upgraded = once(peer.server, 'upgrade');
    const session = await open(peer);
    const [request] = (await upgraded) as [IncomingMessage];
    assert.equal(request.headers.authorization, `Bearer ${SECRET}`);
    assert.equal(request.headers['protocol-version'], '1');
    assert.equal(request.headers['device-id'], IDENTITY.deviceId);
    assert.equal(request.headers['client-id'], IDENTITY.clientId);
    const heard: unknown[] = [];
    await new Promise<void>((resolve) => {
      session.onAudio = (packet) => heard.push(packet[0]);
      session.onMessage = (message) => {
        heard.push(message.type === 'tts' ? message.state : message.type);
        if (message.type === 'tts' && message.state === 'stop') resolve();
      };
    });
    assert.deepEqual(heard, [
      'mcp',
      'start',
      ...Array.from({ length: 100 }, (_none, index) => index),
      'stop',
    ]);
    assert.ok(session.sendAudio(Uint8Array.of(0x58, 0xff)));
    assert.equal(await up, '58ff');
    assert.ok(Date.now() - session.lastSeen() < 20_000);
    await session[Symbol.asyncDispose]();
    assert.equal(await close, 1000);
    await allClosed(peer);
  },
);

test('a refused token, by status, by words and by close code', PATIENT, async () => {
  for (const status of ['401 Unauthorized', '403 Forbidden']) {
    await using peer = await Peer.answering(`HTTP/1.1 ${status}\r\n\r\n`);
    assert.equal(await refusal(open(peer)), 'VOICE_REFUSED');
  }
  await using speaker = await Peer.listen((socket) => {
    socket.send('認証失敗');
    socket.close();
  });
  assert.equal(await refusal(open(speaker)), 'VOICE_REFUSED');
  await using closer = await Peer.listen((socket) => socket.close(1008, SECRET));
  assert.equal(await refusal(open(closer)), 'VOICE_REFUSED');
});

test('a redirect is not followed, and the token goes nowhere else', PATIENT, async () => {
  await using elsewhere = await Peer.listen();
  const location = `http://127.0.0.1:${elsewhere.port}/`;
  await using peer = await Peer.answering(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\n\r\n`);
  assert.equal(await refusal(open(peer)), 'CLOUD_HTTP');
  assert.equal(elsewhere.raws.length, 0);
});

test(
  'TLS: a stranger and a wrong authority are refused before the token is said, the own authority is trusted',
  PATIENT,
  async () => {
    const certificate = makeCertificate();
    let upgrades = 0;
    await using peer = await Peer.listen((socket) => {
      upgrades++;
      socket.on('message', () => socket.send(HELLO));
    }, certificate);
    assert.equal(await refusal(open(peer, {}, 'wss')), 'TLS');
    assert.equal(await refusal(open(peer, { ca: makeCertificate().cert }, 'wss')), 'TLS');
    const unset = { ...systemClock, wall: () => Date.UTC(2020, 0, 1) };
    assert.equal(await refusal(open(peer, { clock: unset }, 'wss')), 'CLOCK');
    assert.equal(upgrades, 0);
    await using session = await open(peer, { ca: certificate.cert }, 'wss');
    assert.equal(session.id, 's-1');
  },
);

test('a server that never answers the upgrade is given up in time', PATIENT, async () => {
  await using peer = await Peer.answering('');
  const clock = new FakeClock();
  const opening = refusal(open(peer, { clock }));
  await once(peer.server, 'upgrade');
  await clock.advance(5000);
  assert.equal(await opening, 'NET_DOWN');
  await allClosed(peer);
});

test('hello not answered (problem 36): said twice, then the socket is closed', PATIENT, async () => {
  const hellos: string[] = [];
  let wake: () => void = () => {};
  await using peer = await Peer.listen((socket) => {
    socket.on('message', (data: Buffer) => {
      hellos.push(data.toString());
      wake();
    });
  });
  const said = (count: number) =>
    new Promise<void>((resolve) => {
      wake = () => hellos.length >= count && resolve();
      wake();
    });
  const clock = new FakeClock();
  const opening = refusal(open(peer, { clock }));
  await said(1);
  await clock.advance(4000);
  await said(2);
  await clock.advance(1000);
  assert.equal(await opening, 'VOICE_NO_HELLO');
  await allClosed(peer);
});

test('a line that breaks in a conversation is the network, a close is the end of it', PATIENT, async () => {
  for (const [end, code] of [
    ['reset', 'NET_DOWN'],
    ['close', 'VOICE_CLOSED'],
  ]) {
    await using peer = await Peer.listen((socket, raw) => {
      socket.on('message', (data: Buffer) => {
        if (data.toString().includes('"hello"')) socket.send(HELLO);
        else if (end === 'reset') raw.resetAndDestroy();
        else socket.close(1000);
      });
    });
    await using session = await open(peer);
    session.onAudio = () => {};
    session.onMessage = () => {};
    session.send({ type: 'listen', state: 'start', mode: 'auto' });
    assert.equal((await session.ended).code, code);
    assert.equal(session.send({ type: 'abort' }), false);
  }
});
