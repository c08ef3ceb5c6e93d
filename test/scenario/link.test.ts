import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { Peer } from './peer.ts';

/** The next messages that a link hears. */
function listen(link: { onMessage: (message: Buffer) => void }) {
  const heard: string[] = [];
  let wake = () => {};
  link.onMessage = (message) => {
    heard.push(message.toString());
    wake();
  };
  const until = async (count: number) => {
    while (heard.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return heard;
  };
  return { heard, until };
}

async function paired(greet: (socket: WebSocket, raw: Socket) => void = () => {}) {
  let socket!: WebSocket;
  let raw!: Socket;
  const peer = await Peer.listen((accepted, bytes) => {
    socket = accepted;
    raw = bytes;
    greet(accepted, bytes);
  });
  return { peer, side: () => ({ socket, raw }) };
}

test('what the cloud says with the upgrade is not lost, however late somebody listens, and keeps its order', async () => {
  const { peer } = await paired((socket) => {
    for (let n = 0; n < 100; n++) socket.send(`${n}`);
  });
  await using _ = peer;
  await using link = await peer.dial();
  await sleep(50);
  const { until } = listen(link);
  assert.deepEqual(
    await until(100),
    Array.from({ length: 100 }, (_n, index) => `${index}`),
  );
});

test('why a line ended is told by its close code', async () => {
  const codes: [number, string][] = [
    [1000, 'REPLACED'],
    [1001, 'NET_DOWN'],
    [1008, 'KEY_REFUSED'],
    [1011, 'NET_DOWN'],
    [1013, 'NET_DOWN'],
    [4004, 'CLOUD_4004'],
    [4000, 'CLOUD_CLOSED'],
    [1003, 'CLOUD_CLOSED'],
  ];
  for (const [close, code] of codes) {
    const { peer } = await paired((socket) => socket.close(close, 'the token is CANARYtOk3n'));
    await using _ = peer;
    await using link = await peer.dial();
    listen(link);
    assert.deepEqual(await link.ended, { asked: false, code, reason: `last close ${close}` });
    assert.equal(link.send('x'), false);
  }
});

test('a reset, and an end without goodbye, are the network', async () => {
  for (const end of ['resetAndDestroy', 'destroy'] as const) {
    const { peer, side } = await paired();
    await using _ = peer;
    await using link = await peer.dial();
    listen(link);
    side().raw[end]();
    assert.deepEqual(await link.ended, { asked: false, code: 'NET_DOWN', reason: 'last close 1006' });
  }
});

test('frames that are none end the line, not the program', async () => {
  for (const bytes of [
    [0xff, 0xff, 0xff, 0xff],
    [0x81, 0x02, 0xff, 0xfe],
    [0x81, 0x7f, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00],
    [0x88, 0x02, 0x00, 0x00],
  ]) {
    const { peer, side } = await paired();
    await using _ = peer;
    await using link = await peer.dial();
    listen(link);
    side().socket.on('error', () => {});
    side().raw.write(Buffer.from(bytes));
    const { asked } = await link.ended;
    assert.equal(asked, false);
  }
});

test('bytes are taken as text, repaired where they are none', async () => {
  const { peer } = await paired((socket) => {
    socket.send(Buffer.from('{"a":"あ"}'), { binary: true });
    socket.send(Buffer.from([0x7b, 0xff, 0x7d]), { binary: true });
  });
  await using _ = peer;
  await using link = await peer.dial();
  assert.deepEqual(await listen(link).until(2), ['{"a":"あ"}', '{\ufffd}']);
});

test('a big message passes both ways', async () => {
  const big = 'あ'.repeat(1_000_000);
  const { peer } = await paired((socket) => socket.on('message', (data) => socket.send(data.toString())));
  await using _ = peer;
  await using link = await peer.dial();
  const { until } = listen(link);
  assert.equal(link.send(big), true);
  assert.equal((await until(1))[0], big);
});

test('a line that says nothing is noticed though it never answered a ping, one that answers pings lives on', async () => {
  const { peer, side } = await paired((_socket, raw) => raw.pause());
  await using _ = peer;
  await using link = await peer.dial({ pingMs: 200, deadMs: 2500 });
  listen(link);
  const { peer: healthy } = await paired();
  await using _healthy = healthy;
  await using other = await healthy.dial({ pingMs: 2400, deadMs: 2500 });
  listen(other);
  const startedAt = performance.now();
  assert.deepEqual(await link.ended, { asked: false, code: 'NET_DOWN', reason: 'no traffic on the line' });
  assert.ok(performance.now() - startedAt < 2600);
  await sleep(1500);
  assert.equal(other.send('still here'), true);
  side().raw.destroy();
});

test('a close that the other side does not finish is cut, whoever began it', async () => {
  const { peer, side } = await paired();
  await using _ = peer;
  const link = await peer.dial();
  listen(link);
  side().raw.pause();
  const startedAt = performance.now();
  await link.close(1000);
  assert.deepEqual(await link.ended, { asked: true, code: 'STOPPED', reason: 'closed 1000' });
  assert.ok(performance.now() - startedAt < 1000);
  const { peer: rude, side: rudeSide } = await paired();
  await using _rude = rude;
  await using second = await rude.dial();
  listen(second);
  const beganAt = performance.now();
  rudeSide().raw.write(Buffer.from([0x88, 0x02, 0x0f, 0xa4])); // 4004, and then nothing
  rudeSide().raw.pause();
  assert.equal((await second.ended).code, 'CLOUD_4004');
  assert.ok(performance.now() - beganAt < 2000, `${performance.now() - beganAt} ms`);
});

test('what crosses our close is not heard, and a line that nobody listened to closes politely', async () => {
  const { peer, side } = await paired();
  await using _ = peer;
  const link = await peer.dial();
  const { heard } = listen(link);
  const closing = link.close(1000);
  side().socket.send('too late');
  await closing;
  assert.deepEqual(heard, []);
  const unheard = await peer.dial({ closeMs: 60_000 });
  const closed = once(side().socket, 'close');
  await unheard[Symbol.asyncDispose]();
  assert.equal((await closed)[0], 1000);
});

test('what was sent while corked leaves with the uncork, in order', async () => {
  const got: string[] = [];
  const { peer, side } = await paired((socket) => socket.on('message', (data) => got.push(data.toString())));
  await using _ = peer;
  await using link = await peer.dial();
  listen(link);
  link.send('first');
  link.cork();
  for (let n = 0; n < 5; n++) link.send(`${n}`);
  link.uncork();
  const answer = once(side().socket, 'message');
  link.send('last');
  while (!got.includes('last')) await Promise.race([answer, sleep(10)]);
  assert.deepEqual(got, ['first', '0', '1', '2', '3', '4', 'last']);
});

test('a peer that reads nothing is cut before it costs the memory', async () => {
  const { peer, side } = await paired((_socket, raw) => raw.pause());
  await using _ = peer;
  await using link = await peer.dial();
  listen(link);
  const block = 'x'.repeat(1 << 20);
  let sent = 0;
  while (link.send(block) && sent < 100) sent++;
  assert.ok(sent >= 32 && sent < 60, `${sent} MiB`);
  assert.equal((await link.ended).reason, 'too much waits to leave');
  side().raw.destroy();
});
