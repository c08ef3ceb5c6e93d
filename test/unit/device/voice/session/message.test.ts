import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../../../../device/voice/session/message.ts';

const read = (value: unknown) => readMessage(JSON.stringify(value));

test('every message of the cloud is read', () => {
  const messages = [
    { type: 'stt', text: '今日は' },
    { type: 'llm', emotion: 'happy', text: '😊' },
    { type: 'tts', state: 'start' },
    { type: 'tts', state: 'stop' },
    { type: 'tts', state: 'sentence_start', text: 'One.' },
    { type: 'mcp', payload: { jsonrpc: '2.0', id: 0, method: 'ping' } },
    { type: 'system', command: 'reboot' },
    { type: 'alert', status: 'error', message: 'no', emotion: 'sad' },
    { type: 'goodbye' },
  ];
  for (const message of messages) assert.deepEqual(read({ ...message, session_id: 's' }), message);
});

test('an emotion without its sign is read, and the other way round', () => {
  assert.deepEqual(read({ type: 'llm', emotion: 'sad' }), { type: 'llm', emotion: 'sad', text: '' });
  assert.deepEqual(read({ type: 'llm', text: '😊' }), { type: 'llm', emotion: '', text: '😊' });
});

test('a hello counts without session_id and audio_params, but not of another transport', () => {
  assert.deepEqual(read({ type: 'hello', transport: 'websocket' }), { type: 'hello', sessionId: '' });
  assert.deepEqual(read({ type: 'hello', session_id: 'x' }), { type: 'hello', sessionId: 'x' });
  for (const id of [7, null, 'x'.repeat(300)])
    assert.deepEqual(read({ type: 'hello', session_id: id }), { type: 'hello', sessionId: '' });
  assert.equal(read({ type: 'hello', transport: 'udp' }), 'malformed');
});

test('text that is not JSON, and JSON that is no message, has its reason and never throws', () => {
  for (const text of ['', '認証失敗', '{', '[]', 'null', '7', '"x"', '\0', '['.repeat(60_000)])
    assert.equal(readMessage(text), 'notJson', text.slice(0, 20));
  for (const value of [
    {},
    { type: 7 },
    { type: 'stt' },
    { type: 'stt', text: 7 },
    { type: 'llm' },
    { type: 'tts' },
    { type: 'tts', state: 'sentence_start' },
    { type: 'mcp', payload: [] },
    { type: 'mcp', payload: 'x' },
    { type: 'system' },
    { type: 'alert', status: 'a', message: 'b' },
  ])
    assert.equal(read(value), 'malformed', JSON.stringify(value));
  for (const value of [{ type: 'server' }, { type: '__proto__' }, { type: 'tts', state: 'sentence_end' }])
    assert.equal(read(value), 'unknown', JSON.stringify(value));
});
