import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { FakeClock } from '../unit/fake-clock.ts';
import { LIMITS, Peer } from './peer.ts';

/** What does not come would be waited for without an end. */
const PATIENT = { timeout: 10_000 };

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
  let sent: Promise<unknown> | undefined;
  const { peer } = await paired((socket) => {
    const sends = Array.from({ length: 100 }, (_n, index) => {
      return new Promise((written) => socket.send(`${index}`, written));
    });
    sent = Promise.all(sends);
  });
  await using _ = peer;
  await using link = await peer.dial();
  await sent;
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
    assert.deepEqual(await link.ended, { asked: false, code, reason: `last close ${close}`, closed: close });
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
    const { closed, ...ending } = await link.ended;
    assert.deepEqual([ending, closed], [{ asked: false, code: 'NET_DOWN', reason: 'last close 1006' }, 1006]);
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

test('a line that says nothing is found dead in 25 s, though it never answered a ping', PATIENT, async () => {
  const clock = new FakeClock();
  const { peer, side } = await paired((_socket, raw) => raw.pause());
  await using _ = peer;
  await using link = await peer.dial({ clock });
  listen(link);
  await clock.advance(20_000);
  assert.equal(link.send('not given up yet'), true);
  await clock.advance(5000);
  assert.deepEqual(await link.ended, { asked: false, code: 'NET_DOWN', reason: 'no traffic on the line' });
  side().raw.destroy();
});

test('a line that only answers our pings lives on', PATIENT, async () => {
  const clock = new FakeClock();
  const { peer } = await paired();
  await using _ = peer;
  await using link = await peer.dial({ clock });
  listen(link);
  for (let ping = 0; ping < 4; ping++) {
    await clock.advance(LIMITS.pingMs);
    while (link.lastSeen() < clock.wall()) await clock.settle();
  }
  assert.equal(link.send('still here'), true);
});

test('a close that the other side does not finish is cut, whoever began it', PATIENT, async () => {
  const clock = new FakeClock();
  const { peer, side } = await paired();
  await using _ = peer;
  const link = await peer.dial({ clock });
  listen(link);
  side().raw.pause();
  const closing = link.close(1000);
  await clock.advance(LIMITS.closeMs);
  await closing;
  assert.deepEqual(await link.ended, { asked: true, code: 'STOPPED', reason: 'closed 1000' });
  const { peer: rude, side: rudeSide } = await paired();
  await using _rude = rude;
  await using second = await rude.dial();
  listen(second);
  rudeSide().raw.write(Buffer.from([0x88, 0x02, 0x0f, 0xa4])); // 4004, and then nothing
  rudeSide().raw.pause();
  assert.equal((await second.ended).code, 'CLOUD_4004');
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
  link.send('last');
  while (!got.includes('last')) await once(side().socket, 'message');
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
