import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createCounters } from '../../bridge/call.ts';
import { endpointService } from '../../bridge/endpoint.ts';
import { Router } from '../../bridge/router.ts';
import { createLog } from '../../device/kernel/log.ts';
import type { Run } from '../../device/kernel/service.ts';
import { makeJwt } from '../cloud/token.ts';
import { Waiters } from '../cloud/waiters.ts';
import { FakeClock } from '../unit/fake-clock.ts';
import { type Greet, LIMITS, Peer } from './peer.ts';

const REDIAL = {
  retryFirstMs: 1000,
  retryMaxMs: 60_000,
  closedFirstMs: 1000,
  closedMaxMs: 60_000,
  replacedFirstMs: 20_000,
  replacedMaxMs: 300_000,
  refusedMinMs: 300_000,
  refusedMaxMs: 900_000,
  tlsFirstMs: 10_000,
  tlsMaxMs: 300_000,
};

/** The endpoint as the supervisor runs it, in front of a peer; its waits pass when the test turns the clock. */
async function run(peer: Peer, token = makeJwt(), stopping = new AbortController().signal) {
  const clock = new FakeClock(Date.now());
  const counters = createCounters();
  const lines = new Waiters<Record<string, unknown>>();
  const service = endpointService({
    name: 'cloud',
    url: `ws://127.0.0.1:${peer.port}/mcp/?token=${token}`,
    link: LIMITS,
    redial: REDIAL,
    router: new Router({ clock, counters, prefix: 'collide', holdMs: 2000 }),
    clock,
    random: () => 0.5,
    log: createLog({
      sink: (line) => lines.add(JSON.parse(line)),
      wall: () => clock.wall(),
      level: () => 'debug',
    }),
    counters,
    version: '1.2.3',
    budget: 'auto',
    listWaitMs: 1500,
    changeMs: 3000,
    stopping,
  });
  const endpoint: Run = await service.start(new AbortController().signal);
  const logged = (event: string) => lines.next(event, (line) => line.event === event, 5000);
  const end = async () => {
    const { code, redial_ms } = await logged('line_ended');
    return [code, redial_ms];
  };
  return { endpoint, clock, counters, logged, end };
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const OLD = makeJwt(Math.floor(Date.now() / 1000) - 60);

/** Asks for the list, and does the rest once it is there. */
function afterList(then: Greet): Greet {
  return (socket, raw) => {
    socket.send(LIST);
    socket.once('message', () => then(socket, raw));
  };
}

test('a key past its own date that the cloud does not serve is expired, whatever the cloud says', async () => {
  const cases: [Greet, code: string, redialMs: number][] = [
    [(socket) => socket.close(1008), 'KEY_EXPIRED', 600_000],
    [(socket) => socket.close(4004), 'KEY_EXPIRED', 600_000],
    [(socket) => socket.close(4000), 'KEY_EXPIRED', 600_000],
    [(_socket, raw) => raw.resetAndDestroy(), 'KEY_EXPIRED', 600_000],
    [(socket) => socket.close(1000), 'REPLACED', 24_000],
    [afterList((socket) => socket.close(4004)), 'CLOUD_4004', 1000],
    [afterList((_socket, raw) => raw.resetAndDestroy()), 'NET_DOWN', 0],
    [afterList((socket) => socket.close(1008)), 'KEY_EXPIRED', 600_000],
  ];
  for (const [greet, code, redialMs] of cases) {
    await using peer = await Peer.listen(greet);
    const { endpoint, end } = await run(peer, OLD);
    await using _ = endpoint;
    assert.deepEqual(await end(), [code, redialMs]);
  }
});

test('a key that is good by its date is judged by what the cloud says', async () => {
  const cases: [Greet, code: string, redialMs: number][] = [
    [(socket) => socket.close(1008), 'KEY_REFUSED', 600_000],
    [(socket) => socket.close(4004), 'CLOUD_4004', 1000],
    [(_socket, raw) => raw.resetAndDestroy(), 'NET_DOWN', 0],
  ];
  for (const token of [makeJwt(), 'b3BhcXVl'])
    for (const [greet, code, redialMs] of cases) {
      await using peer = await Peer.listen(greet);
      const { endpoint, end } = await run(peer, token);
      await using _ = endpoint;
      assert.deepEqual(await end(), [code, redialMs]);
      assert.equal(endpoint.health().code, code);
    }
});

test('the state of the line is what was proved: open is not yet served', async () => {
  let ask = () => {};
  await using peer = await Peer.listen((socket) => {
    ask = () => socket.send(LIST);
  });
  const { endpoint, clock, logged } = await run(peer);
  await using _ = endpoint;
  assert.deepEqual(endpoint.health(), { state: 'starting', reason: 'dialling' });
  await logged('line_opened');
  assert.equal(endpoint.health().state, 'starting');
  await clock.advance(10_000);
  assert.equal(endpoint.health().state, 'ready', 'a self-hosted cloud may ask hours later');
  const listed = logged('tools_listed');
  ask();
  await listed;
  assert.equal(endpoint.health().state, 'ready');
  assert.equal(endpoint.health().proof?.what, 'traffic');
});

test('asked to stop, it ends with its socket: while it dials, while it waits, while the line is open', async () => {
  await using silent = await Peer.answering('');
  const dialling = await run(silent);
  if (silent.raws.length === 0) await once(silent.server, 'connection');
  await dialling.endpoint[Symbol.asyncDispose]();
  await using rude = await Peer.listen((socket) => socket.close(1000));
  const waiting = await run(rude);
  await waiting.end();
  await waiting.endpoint[Symbol.asyncDispose]();
  await using good = await Peer.listen();
  const open = await run(good);
  await open.logged('line_opened');
  await open.endpoint[Symbol.asyncDispose]();
  for (const [peer, { endpoint, counters, clock }] of [
    [silent, dialling],
    [rude, waiting],
    [good, open],
  ] as const) {
    assert.deepEqual(await endpoint.ended, { asked: true, reason: 'stopped' });
    for (const raw of peer.raws) if (!raw.closed) await once(raw, 'close');
    assert.deepEqual([peer.raws.length, counters.reconnects, clock.armed], [1, 0, 0]);
  }
});

test('a restart gives the close its whole time, since a dial follows; a stop does not', async () => {
  for (const [isStopping, cutMs] of [
    [false, LIMITS.closeMs],
    [true, 250],
  ] as const) {
    await using peer = await Peer.listen((_socket, raw) => void raw.pause());
    const stopping = new AbortController();
    const { endpoint, clock, logged } = await run(peer, makeJwt(), stopping.signal);
    await logged('line_opened');
    if (isStopping) stopping.abort();
    const disposal = endpoint[Symbol.asyncDispose]();
    assert.equal(clock.untilNext, cutMs);
    await clock.advance(cutMs);
    await disposal;
  }
});

test('each redial counts, and the next dial comes when its wait is over', async () => {
  await using peer = await Peer.listen((socket) => socket.close(4004));
  const { endpoint, clock, counters, end } = await run(peer);
  await using _ = endpoint;
  for (const wait of [1000, 2000, 4000, 8000]) {
    assert.deepEqual(await end(), ['CLOUD_4004', wait]);
    await clock.advance(wait - 1);
    const dials = peer.raws.length;
    await clock.settle();
    assert.equal(peer.raws.length, dials);
    await clock.advance(1);
  }
  await end();
  assert.equal(counters.reconnects, 4);
});
