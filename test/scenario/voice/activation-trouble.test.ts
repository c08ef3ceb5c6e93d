import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../device/kernel/clock.ts';
import { Fault } from '../../../device/kernel/fault.ts';
import { type PostOptions, post } from '../../../device/voice/activation/http.ts';
import { makeCertificate } from '../../cloud/certificate.ts';
import { FakeClock } from '../../unit/fake-clock.ts';
import { ActivationScene, codeOf, isRegistered, isWaiting } from './activation-scene.ts';
import { ActivationServer, type Answer, WEBSOCKET } from './activation-server.ts';

const PATIENT = { timeout: 20_000 };

const BOUND = { body: { websocket: WEBSOCKET } };

test(
  'each answer that helps nothing has its code, is tried again more slowly each time, and is got over',
  PATIENT,
  async () => {
    const answers: [Answer, string][] = [
      [{ status: 500, body: '' }, 'NET_DOWN'],
      [{ status: 404, body: '' }, 'VOICE_ANSWER'],
      [{ status: 401, body: '' }, 'VOICE_NOT_REGISTERED'],
      [{ status: 202, body: {} }, 'VOICE_ANSWER'],
      [{ body: 'not JSON' }, 'VOICE_ANSWER'],
      [{ body: 'x'.repeat(300_000) }, 'VOICE_ANSWER'],
      [{ body: { mqtt: { endpoint: 'x' } } }, 'VOICE_NO_WEBSOCKET'],
      [{ body: { error: 'Invalid OTA request' } }, 'VOICE_NOT_REGISTERED'],
    ];
    await using server = await ActivationServer.listen(() => answers[server.asked.length - 1]?.[0] ?? BOUND);
    using scene = new ActivationScene();
    await using _ = scene.start(server.url);
    await scene.until(isRegistered);
    assert.deepEqual(
      scene.states.map(codeOf).filter((code) => code !== undefined),
      answers.map(([, code]) => code),
    );
    assert.deepEqual(scene.paused, [2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000]);
  },
);

test('a redirect is not followed: the device goes to no other server', PATIENT, async () => {
  await using elsewhere = await ActivationServer.listen(() => BOUND);
  const redirect = { status: 307, headers: { location: elsewhere.url }, body: '' };
  await using server = await ActivationServer.listen(() => (server.asked.length > 1 ? BOUND : redirect));
  using scene = new ActivationScene();
  await using _ = scene.start(server.url);
  await scene.until(isRegistered);
  assert.equal(scene.states.map(codeOf)[0], 'VOICE_ANSWER');
  assert.equal(elsewhere.asked.length, 0);
});

test(
  'activation that never ends: it is polled for ever, with pauses, and ends at once when it is no longer wanted',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(({ path }) =>
      path.includes('activate') ? { status: 202, body: '' } : { body: { activation: { code: '123456' } } },
    );
    using scene = new ActivationScene();
    const activation = scene.start(server.url);
    await server.until(70); // the first, twenty polls, the whole again, and so on
    await activation[Symbol.asyncDispose]();
    assert.equal(scene.states.filter(isWaiting).length, 1, 'one code is told once, however long it takes');
    const asked = server.asked.map(({ path }) => path.includes('activate'));
    assert.deepEqual(asked.slice(0, 22), [false, ...Array.from({ length: 20 }, () => true), false]);
    const pauses = scene.paused.filter((ms) => ms !== 3000);
    assert.ok(pauses.length >= 2 && pauses.every((ms) => ms > 3000 && ms <= 30_000), String(pauses));
  },
);

test(
  'a server that calls it done and goes on asking for the code is not asked in a spin',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(({ path }) =>
      path.includes('activate') ? { body: 'success' } : { body: { activation: { code: '123456' } } },
    );
    using scene = new ActivationScene();
    const activation = scene.start(server.url);
    await server.until(11);
    await activation[Symbol.asyncDispose]();
    const between = scene.paused.filter((_ms, index) => index % 2 === 1).slice(0, 5);
    assert.deepEqual(between, [0, 3000, 6000, 12_000, 24_000]);
  },
);

test('polls that fail are made more slowly, and then the whole again with its cause', PATIENT, async () => {
  await using server = await ActivationServer.listen(({ path }) => {
    if (path.includes('activate')) return { status: 500, body: '' };
    return server.asked.length === 1 ? { body: { activation: { code: '123456' } } } : BOUND;
  });
  using scene = new ActivationScene();
  await using _ = scene.start(server.url);
  await scene.until(isRegistered);
  assert.deepEqual(scene.paused, [3000, 10_000, 10_000, 2000]);
  assert.deepEqual(scene.states.map(codeOf), [undefined, 'NET_DOWN', undefined]);
});

test(
  'TLS: a stranger and a wrong authority are refused before anything is said, the own authority is trusted',
  PATIENT,
  async () => {
    const certificate = makeCertificate();
    await using server = await ActivationServer.listen(() => BOUND, certificate);
    for (const ca of [undefined, makeCertificate().cert, 'no certificate']) {
      using scene = new ActivationScene();
      await using _ = scene.start(server.url, ca === undefined ? {} : { ca });
      await scene.until((state) => codeOf(state) === 'TLS');
    }
    assert.equal(server.asked.length, 0);
    using scene = new ActivationScene();
    await using _ = scene.start(server.url, { ca: certificate.cert });
    await scene.until(isRegistered);
  },
);

test('the variable that turns verification off for all of Node does not do so here', PATIENT, async () => {
  await using server = await ActivationServer.listen(() => BOUND, makeCertificate());
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    assert.equal(await failure({ url: server.url }), 'TLS');
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});

test(
  'a server that never answers is given up in time, and an end that is asked for comes at once',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(() => undefined);
    const clock = new FakeClock();
    const late = failure({ url: server.url, clock });
    await server.until(1);
    await clock.advance(10_000);
    assert.equal(await late, 'NET_DOWN');
    assert.equal(clock.armed, 0);
    const stop = new AbortController();
    const stopped = failure({ url: server.url }, stop.signal);
    await server.until(2);
    stop.abort();
    assert.equal(await stopped, 'STOPPED');
    assert.equal(await failure({ url: server.url }, stop.signal), 'STOPPED');
  },
);

test(
  'nobody at the port, no such name, no address: each has its code, and none quotes the address',
  PATIENT,
  async () => {
    const gone = await ActivationServer.listen(() => undefined);
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    assert.equal(await failure({ url }), 'NET_DOWN');
    for (const odd of ['', 'CANARY', 'ftp://127.0.0.1/CANARY', 'wss://127.0.0.1/CANARY'])
      assert.equal(await failure({ url: odd }), 'VOICE_ANSWER', odd);
  },
);

/** Posts in vain; returns why. */
async function failure(
  options: Partial<PostOptions>,
  signal = new AbortController().signal,
): Promise<string> {
  const fixed = { url: '', headers: {}, body: '{}', clock: systemClock, deadlineMs: 10_000 };
  try {
    await post({ ...fixed, ...options }, signal);
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    assert.ok(!`${error.stack}`.includes('CANARY'), error.message);
    return error.code;
  }
  throw new Error('it was answered');
}
