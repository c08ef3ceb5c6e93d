import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { systemClock } from '../../device/kernel/clock.ts';
import { Fault } from '../../device/kernel/fault.ts';
import { dialLink, type LinkOptions } from '../../device/kernel/link.ts';
import { makeCertificate } from '../cloud/certificate.ts';
import { FakeClock } from '../unit/fake-clock.ts';
import { LIMITS, Peer, SECRET } from './peer.ts';

/** Dials in vain; returns why. Whatever went wrong, the address is not told. */
async function refusal(dialling: Promise<unknown>): Promise<string> {
  try {
    await dialling;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    const told = error.message;
    assert.ok(!told.includes(SECRET) && !told.includes('127.0.0.1'), told);
    return error.code;
  }
  throw new Error('the dial succeeded');
}

function dial(url: string, options: Partial<LinkOptions> = {}) {
  return dialLink({ ...LIMITS, clock: systemClock, url, ...options }, new AbortController().signal);
}

test('each way to fail a dial has its cause', async () => {
  const causes: [answer: string, code: string][] = [
    ['HTTP/1.1 401 Unauthorized\r\n\r\n', 'KEY_REFUSED'],
    ['HTTP/1.1 403 Forbidden\r\ncontent-length: 6\r\n\r\nno key', 'KEY_REFUSED'],
    ['HTTP/1.1 404 Not Found\r\n\r\n', 'CLOUD_HTTP'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'CLOUD_HTTP'],
    [`HTTP/1.1 302 Found\r\nlocation: /elsewhere?token=${SECRET}\r\n\r\n`, 'CLOUD_HTTP'],
    ['HTTP/1.1 500 Internal Server Error\r\n\r\n', 'NET_DOWN'],
    ['HTTP/1.1 503 Service Unavailable\r\n\r\n', 'NET_DOWN'],
    ['HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n', 'NET_DOWN'],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'NET_DOWN'],
    ['\r\n', 'NET_DOWN'],
  ];
  for (const [answer, code] of causes) {
    await using peer = await Peer.answering(answer);
    assert.equal(await refusal(peer.dial()), code, answer);
  }
});

test('nobody at the port', async () => {
  const peer = await Peer.listen();
  const { port } = peer;
  await peer[Symbol.asyncDispose]();
  assert.equal(await refusal(dial(`ws://127.0.0.1:${port}/?token=${SECRET}`)), 'NET_DOWN');
  assert.equal(await refusal(dial(`ws://localhost:${port}/?token=${SECRET}`)), 'NET_DOWN');
});

test('an address that is none is said to be so, and not quoted', async () => {
  for (const url of ['', 'nonsense', `ftp://127.0.0.1/${SECRET}`, `ws://127.0.0.1:1/#${SECRET}`, 'ws://'])
    assert.equal(await refusal(dial(url)), 'ENDPOINT_INVALID', url);
});

test('TLS: a stranger is refused, a certificate of the wrong time by clock or date, the own CA is trusted', async () => {
  const certificate = makeCertificate();
  await using peer = await Peer.listen(() => {}, certificate);
  const url = `wss://127.0.0.1:${peer.port}/?token=${SECRET}`;
  assert.equal(await refusal(dial(url)), 'TLS');
  const past = { ...systemClock, wall: () => Date.UTC(2020, 0, 1) };
  assert.equal(await refusal(dial(url, { clock: past })), 'CLOCK');
  assert.equal(await refusal(dial(url, { ca: makeCertificate().cert })), 'TLS');
  assert.equal(await refusal(dial(url, { ca: 'no certificate' })), 'TLS');
  await using link = await dial(url, { ca: certificate.cert });
  assert.ok(link);
  const day = 86_400_000;
  const tomorrow = makeCertificate(Date.now() + day, Date.now() + 2 * day);
  await using early = await Peer.listen(() => {}, tomorrow);
  const earlyUrl = `wss://127.0.0.1:${early.port}/?token=${SECRET}`;
  assert.equal(await refusal(dial(earlyUrl, { ca: tomorrow.cert })), 'CLOCK');
  await using plain = await Peer.listen();
  assert.equal(await refusal(dial(`wss://127.0.0.1:${plain.port}/?token=${SECRET}`)), 'TLS');
});

test('a dial that is not answered is given up in time and leaves no socket', async () => {
  await using peer = await Peer.answering('');
  const clock = new FakeClock();
  const dialling = refusal(peer.dial({ clock }));
  await once(peer.server, 'upgrade');
  await clock.advance(LIMITS.dialMs);
  assert.equal(await dialling, 'NET_DOWN');
  await allClosed(peer);
});

test('a dial that is no longer wanted ends at once and leaves no socket', async () => {
  await using peer = await Peer.answering('');
  const stop = new AbortController();
  const dialling = refusal(peer.dial({}, stop.signal));
  await once(peer.server, 'upgrade');
  stop.abort();
  assert.equal(await dialling, 'STOPPED');
  await allClosed(peer);
  assert.equal(await refusal(peer.dial({}, stop.signal)), 'STOPPED', 'aborted before it began');
  await allClosed(peer);
});

async function allClosed(peer: Peer): Promise<void> {
  for (const raw of peer.raws) if (!raw.closed) await once(raw, 'close');
}
