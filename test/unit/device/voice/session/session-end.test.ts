import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELLO, openedSession, startSession } from './fake-media-link.ts';

test('a normal close of the server is the end of a conversation and no network error (problem 35)', async () => {
  const causes: [number, string][] = [
    [1000, 'VOICE_CLOSED'],
    [1001, 'VOICE_CLOSED'],
    [1005, 'VOICE_CLOSED'],
    [1008, 'VOICE_REFUSED'],
    [1006, 'NET_DOWN'],
    [1011, 'NET_DOWN'],
    [4004, 'CLOUD_CLOSED'],
  ];
  for (const [close, code] of causes) {
    const { link, session, clock } = await openedSession();
    link.drop(close);
    const ending = await session.ended;
    assert.deepEqual([ending.asked, ending.code, ending.closed], [false, code, close]);
    assert.equal(session.send({ type: 'abort' }), false);
    assert.equal(session.sendAudio(Uint8Array.of(1)), false);
    assert.equal(clock.armed, 0, 'nothing goes on waiting');
  }
});

test('disposing closes with 1000, says asked, and hears nothing more', async () => {
  const { link, session, heard, clock } = await openedSession();
  await session[Symbol.asyncDispose]();
  await session[Symbol.asyncDispose]();
  assert.equal(link.closedWith, 1000);
  assert.equal((await session.ended).asked, true);
  link.say({ type: 'goodbye' });
  assert.deepEqual(heard, []);
  assert.equal(session.send({ type: 'abort' }), false);
  assert.equal(clock.armed, 0);
});

test('a session on which nothing is said for two minutes ends', async () => {
  const { link, session, clock } = await openedSession();
  await clock.advance(100_000);
  link.say({ type: 'stt', text: 'x' });
  await clock.advance(119_999);
  assert.ok(session.send({ type: 'abort' }));
  await clock.advance(1);
  assert.equal((await session.ended).code, 'VOICE_SILENT');
  assert.equal((await session.ended).asked, false);
  assert.equal(link.closedWith, 1000);
  assert.equal(clock.armed, 0);
});

test('sound is no silence', async () => {
  const { link, session, clock } = await openedSession();
  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(60_000);
    link.say(Uint8Array.of(1));
  }
  assert.ok(session.send({ type: 'abort' }));
});

test('a program that was held up reads first what came meanwhile, then judges', async () => {
  const { session, clock, link } = await openedSession();
  let now = 0;
  clock.now = () => now; // the hands jump, as they do after a suspend
  now = 500_000;
  await clock.advance(120_000);
  assert.ok(session.send({ type: 'abort' }), 'not judged yet');
  link.say({ type: 'stt', text: 'x' });
  await clock.advance(1000);
  assert.ok(session.send({ type: 'abort' }), 'it was alive all the time');
});

test('disposing while the hello is out is safe', async () => {
  const { link, opening, stop } = await startSession();
  stop.abort();
  link.say(HELLO);
  await assert.rejects(opening, { code: 'STOPPED' });
  assert.equal(link.isOpen, false);
});
