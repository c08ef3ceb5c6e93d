import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionCounters } from '../../../../../device/voice/session/counters.ts';
import { HELLO, openedSession, SETTINGS, startSession } from './fake-media-link.ts';

const INITIALIZE = { type: 'mcp', payload: { jsonrpc: '2.0', id: 1, method: 'initialize' } };

test('what comes before the hello, with it and before anybody listens is handed on in its order', async () => {
  const { link, opening, clock } = await startSession();
  link.say(INITIALIZE, Uint8Array.of(1), HELLO, { type: 'tts', state: 'start' }, Uint8Array.of(2));
  const session = await opening;
  await clock.settle();
  link.say(Uint8Array.of(3));
  const heard: unknown[] = [];
  session.onAudio = (packet) => heard.push(packet[0]);
  link.say(Uint8Array.of(4));
  assert.equal(heard.length, 0, 'one listener alone would see sound without its messages');
  session.onMessage = (message) => heard.push(message);
  link.say(Uint8Array.of(5), { type: 'tts', state: 'stop' });
  const start = { type: 'tts', state: 'start' };
  assert.deepEqual(heard, [INITIALIZE, 1, start, 2, 3, 4, 5, { type: 'tts', state: 'stop' }]);
});

test('what the cloud said is still handed on where it closed before anybody listened', async () => {
  const { link, opening } = await startSession();
  link.say(HELLO, { type: 'alert', status: 's', message: 'm', emotion: 'e' });
  link.drop(1000);
  const session = await opening;
  const heard: unknown[] = [];
  session.onAudio = () => {};
  session.onMessage = (message) => heard.push(message.type);
  assert.deepEqual(heard, ['alert']);
  assert.equal((await session.ended).code, 'VOICE_CLOSED');
});

test('what waits is bounded in number and in bytes, and what finds no room is counted', async () => {
  const counters = createSessionCounters();
  const { link, opening } = await startSession({ counters });
  for (let index = 0; index < 300; index++) link.say(Uint8Array.of(index & 255));
  link.say(HELLO);
  const session = await opening;
  const heard: unknown[] = [];
  session.onAudio = (packet) => heard.push(packet[0]);
  session.onMessage = () => {};
  assert.equal(heard.length, 256);
  assert.equal(counters.overflow, 44);
  const large = createSessionCounters();
  const other = await startSession({ counters: large });
  for (let index = 0; index < 20; index++) other.link.say({ type: 'stt', text: 'x'.repeat(60_000) });
  assert.equal(large.overflow, 3);
});

test('what is dropped is counted by its reason, and the session goes on', async () => {
  const counters = createSessionCounters();
  const credentials = { ...SETTINGS.credentials, version: 3 as const };
  const { link, heard } = await openedSession({ counters, credentials });
  link.say('not JSON', { type: 'stt' }, { type: 'server' }, { type: 'stt', text: 'x'.repeat(70_000) });
  link.say(Uint8Array.of(0, 0, 9, 9, 1), new Uint8Array(5000), Uint8Array.of());
  const json = Buffer.from(JSON.stringify({ type: 'goodbye' }));
  link.say(Buffer.concat([Uint8Array.of(1, 0, 0, json.length), json]), Uint8Array.of(0, 0, 0, 2, 8, 9));
  assert.deepEqual(heard, [{ type: 'goodbye' }, [8, 9]]);
  const { notJson, malformed, unknown, tooLong, badAudio, overflow } = counters;
  assert.deepEqual([notJson, malformed, unknown, tooLong, badAudio, overflow], [1, 1, 1, 1, 3, 0]);
});

test('what we say carries the id of the session, and sound its header', async () => {
  const credentials = { ...SETTINGS.credentials, version: 2 as const };
  const counters = createSessionCounters();
  const { link, session, clock } = await openedSession({ credentials, counters });
  assert.ok(session.send({ type: 'listen', state: 'detect', text: 'やあ' }));
  assert.deepEqual(link.texts.at(-1), { session_id: 's-1', type: 'listen', state: 'detect', text: 'やあ' });
  await clock.advance(1500);
  assert.ok(session.sendAudio(Uint8Array.of(7)));
  const frame = Buffer.from(link.bytes[0] ?? []);
  assert.equal(frame.readUInt32BE(8), 1500);
  assert.equal(frame.length, 17);
  assert.equal(session.sendAudio(new Uint8Array(5000)), false);
  assert.equal(counters.badSent, 1);
});
