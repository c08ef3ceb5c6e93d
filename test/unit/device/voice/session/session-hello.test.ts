import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../../device/kernel/fault.ts';
import type { Session } from '../../../../../device/voice/session/session.ts';
import { HELLO, SETTINGS, startSession, TOKEN, URL_SECRET } from './fake-media-link.ts';

const code = (opening: Promise<Session>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => {
      assert.ok(error instanceof Fault, String(error));
      assert.ok(!`${error.stack}${String(error.cause)}`.includes('CANARY'), error.message);
      return error.code;
    },
  );

test('the upgrade says who we are and the hello what we speak', async () => {
  const { link, opening, dialled } = await startSession();
  assert.equal(dialled?.url, URL_SECRET);
  assert.deepEqual(dialled?.headers, {
    Authorization: `Bearer ${TOKEN}`,
    'Protocol-Version': '1',
    'Device-Id': SETTINGS.identity.deviceId,
    'Client-Id': SETTINGS.identity.clientId,
  });
  assert.deepEqual(link.texts, [
    {
      type: 'hello',
      version: 1,
      features: { mcp: true },
      transport: 'websocket',
      audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 },
    },
  ]);
  link.say(HELLO);
  assert.equal((await opening).id, 's-1');
});

test('a token that brings its scheme keeps it, an empty one makes no header, one that fits no header is refused', async () => {
  const dialledWith = async (token: string) => {
    const credentials = { ...SETTINGS.credentials, token, version: 3 as const };
    const { dialled, link, opening } = await startSession({ credentials });
    link.say(HELLO);
    return (await code(opening)) === 'opened' ? dialled?.headers : await code(opening);
  };
  const basic = await dialledWith('Basic abc');
  assert.ok(typeof basic === 'object' && basic.Authorization === 'Basic abc');
  assert.equal(basic['Protocol-Version'], '3');
  const none = await dialledWith('');
  assert.ok(typeof none === 'object' && !('Authorization' in none));
  assert.equal(await dialledWith('CANARY\r\nx: y'), 'VOICE_REFUSED');
  assert.equal(await dialledWith('CANARY鍵'), 'VOICE_REFUSED');
});

test('a hello that was dropped is said once more, and a late answer still counts', async () => {
  const { clock, link, opening } = await startSession();
  await clock.advance(3999);
  assert.equal(link.texts.length, 1);
  await clock.advance(1);
  assert.equal(link.texts.length, 2);
  assert.deepEqual(link.texts[1], link.texts[0]);
  await clock.advance(5000);
  assert.equal(link.texts.length, 2);
  link.say(HELLO, { ...HELLO, session_id: 's-2' });
  assert.equal((await opening).id, 's-1', 'the answer to the second hello changes nothing');
});

test('hello not answered (problem 36) ends the try and the socket', async () => {
  const { clock, link, opening } = await startSession();
  link.say({ type: 'hello', transport: 'udp' }, { type: 'stt', text: 'x' });
  await clock.advance(10_000);
  assert.equal(await code(opening), 'VOICE_NO_HELLO');
  assert.equal(link.closedWith, 1000);
  assert.equal(clock.armed, 0);
});

test('a hello without session_id and audio_params opens the session', async () => {
  const { clock, link, opening } = await startSession();
  link.say({ type: 'hello', transport: 'websocket' });
  const session = await opening;
  assert.equal(session.id, '');
  assert.equal(clock.armed, 1, 'the watch over silence alone');
  session.send({ type: 'listen', state: 'stop' });
  assert.deepEqual(link.texts.at(-1), { session_id: '', type: 'listen', state: 'stop' });
});

test('a sentence that is not JSON, and a close, is how a self-hosted cloud refuses', async () => {
  const { link, opening, clock } = await startSession();
  link.say('認証失敗');
  link.drop(1000);
  assert.equal(await code(opening), 'VOICE_REFUSED');
  assert.equal(clock.armed, 0);
});

test('a sentence that is not JSON alone refuses nothing', async () => {
  const { link, opening } = await startSession();
  link.say('hello from your server', HELLO);
  assert.equal(await code(opening), 'opened');
});

test('each end before the hello has its cause', async () => {
  const causes: [number, string][] = [
    [1000, 'VOICE_CLOSED'],
    [1005, 'VOICE_CLOSED'],
    [1006, 'NET_DOWN'],
    [1008, 'VOICE_REFUSED'],
    [4004, 'CLOUD_CLOSED'],
    [1002, 'CLOUD_CLOSED'],
  ];
  for (const [close, expected] of causes) {
    const { link, opening } = await startSession();
    link.drop(close);
    assert.equal(await code(opening), expected, String(close));
  }
});

test('a dial that was refused is the token, every other cause stays what it is', async () => {
  for (const [cause, expected] of [
    ['KEY_REFUSED', 'VOICE_REFUSED'],
    ['NET_NAME', 'NET_NAME'],
    ['TLS', 'TLS'],
    ['CLOCK', 'CLOCK'],
    ['CLOUD_HTTP', 'CLOUD_HTTP'],
  ] as const) {
    const { opening } = await startSession({ dial: () => Promise.reject(new Fault(cause, 'dial failed')) });
    assert.equal(await code(opening), expected);
  }
});

test('an opening that is no longer wanted ends at once and closes its socket', async () => {
  const { link, opening, stop, clock } = await startSession();
  stop.abort();
  assert.equal(await code(opening), 'STOPPED');
  assert.equal(link.closedWith, 1000);
  assert.equal(clock.armed, 0);
});
