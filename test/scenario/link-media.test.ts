import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { systemClock } from '../../device/kernel/clock.ts';
import { Fault } from '../../device/kernel/fault.ts';
import { dialLink, type LinkOptions, type MediaLink } from '../../device/kernel/link.ts';
import { type Greet, LIMITS, Peer } from './peer.ts';

interface Scene extends AsyncDisposable {
  readonly link: MediaLink;
  /** The other side's end of the link. */
  readonly side: WebSocket;
  /** What the other side got with the upgrade. */
  readonly headers: IncomingHttpHeaders;
}

async function paired(options: Partial<LinkOptions> = {}, greet: Greet = () => {}): Promise<Scene> {
  let side!: WebSocket;
  let headers: IncomingHttpHeaders = {};
  const peer = await Peer.listen((socket, raw) => {
    side = socket;
    greet(socket, raw);
  });
  peer.server.on('upgrade', (request) => {
    headers = request.headers;
  });
  const url = `ws://127.0.0.1:${peer.port}/v1/`;
  const never = new AbortController().signal;
  const link = await dialLink({ ...LIMITS, url, clock: systemClock, ...options }, never);
  return {
    link,
    side,
    headers,
    async [Symbol.asyncDispose]() {
      await link[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
}

/** What a link hears, texts as texts and bytes as numbers, in the order of their coming. */
function listen(link: MediaLink) {
  const heard: (string | number[])[] = [];
  let wake = () => {};
  const hear = (message: string | number[]) => {
    heard.push(message);
    wake();
  };
  link.onBytes = (bytes) => hear([...bytes]);
  link.onMessage = (message) => hear(message.toString());
  return async (count: number) => {
    while (heard.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return heard;
  };
}

test('headers go out with the upgrade, and none are added where none are given', async () => {
  const headers = { authorization: 'Bearer CANARYtOk3n', 'device-id': '02:00:5e:00:53:01' };
  await using scene = await paired({ headers });
  assert.equal(scene.headers.authorization, headers.authorization);
  assert.equal(scene.headers['device-id'], headers['device-id']);
  await using plain = await paired();
  assert.equal(plain.headers.authorization, undefined);
});

test('a header that cannot be one fails the dial without being told', async () => {
  await using peer = await Peer.listen();
  for (const authorization of ['Bearer CANARY\r\nX: y', 'Bearer CANARY鍵']) {
    await assert.rejects(peer.dial({ headers: { authorization } }), (error) => {
      assert.ok(error instanceof Fault, String(error));
      assert.doesNotMatch(error.message, /CANARY/);
      return true;
    });
  }
  assert.equal(peer.open, 0, 'nobody was dialled');
});

test('texts and bytes keep their order, also those that came with the upgrade', async () => {
  await using scene = await paired({}, (socket) => {
    socket.send('{"type":"hello"}');
    socket.send(Buffer.from([0xf8, 0xff, 0xfe]), { binary: true });
    socket.send('{"type":"tts","state":"stop"}');
    socket.send(Buffer.from('text as bytes'), { binary: true });
  });
  const until = listen(scene.link);
  assert.deepEqual(await until(4), [
    '{"type":"hello"}',
    [0xf8, 0xff, 0xfe],
    '{"type":"tts","state":"stop"}',
    [...Buffer.from('text as bytes')],
  ]);
});

test('an empty packet is heard as one', async () => {
  await using scene = await paired({}, (socket) => socket.send(Buffer.alloc(0), { binary: true }));
  assert.deepEqual(await listen(scene.link)(1), [[]]);
});

test('bytes leave as bytes and texts as texts, in order', async () => {
  await using scene = await paired();
  const got: [data: string, binary: boolean][] = [];
  scene.side.on('message', (data: Buffer, binary) => got.push([data.toString('latin1'), binary]));
  assert.equal(scene.link.send('{"type":"listen"}'), true);
  assert.equal(scene.link.sendBytes(Uint8Array.of(0xf8, 0x00, 0xff)), true);
  assert.equal(scene.link.send('end'), true);
  while (got.length < 3) await once(scene.side, 'message');
  assert.deepEqual(got, [
    ['{"type":"listen"}', false],
    ['\xf8\x00\xff', true],
    ['end', false],
  ]);
});

test('a packet may be written over as soon as it is sent', async () => {
  await using scene = await paired();
  const packet = Uint8Array.of(1, 2, 3);
  const arrived = once(scene.side, 'message');
  scene.link.sendBytes(packet);
  packet.fill(9);
  assert.deepEqual([...(await arrived)[0]], [1, 2, 3]);
});

test('bytes are refused once the link has ended, and not heard after our close', async () => {
  const scene = await paired();
  const until = listen(scene.link);
  const closing = scene.link.close(1000);
  scene.side.send(Buffer.from([1]), { binary: true });
  await closing;
  assert.equal(scene.link.sendBytes(Uint8Array.of(1)), false);
  assert.deepEqual(await until(0), []);
  await scene[Symbol.asyncDispose]();
});

test('a peer that reads no sound is cut before it costs the memory', async () => {
  let raw: Parameters<Greet>[1] | undefined;
  await using scene = await paired({}, (_socket, bytes) => {
    raw = bytes.pause();
  });
  listen(scene.link);
  const block = new Uint8Array(1 << 20);
  let sent = 0;
  while (scene.link.sendBytes(block) && sent < 100) sent++;
  assert.ok(sent >= 32 && sent < 60, `${sent} MiB`);
  assert.equal((await scene.link.ended).reason, 'too much waits to leave');
  raw?.destroy();
});
