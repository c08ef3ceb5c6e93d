import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../../device/kernel/fault.ts';
import {
  checkCredentials,
  readRegistration,
} from '../../../../../device/voice/activation/registration-answer.ts';

const WEBSOCKET = { url: 'wss://cloud.example/v1/', token: 'CANARYtOk3n' };

const read = (value: unknown) => readRegistration(JSON.stringify(value));

function refusal(text: string): string {
  try {
    readRegistration(text);
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    assert.ok(!error.message.includes('CANARY'), error.message);
    return error.code;
  }
  return 'taken';
}

test('a bound device gets its address, token and version', () => {
  const answer = read({ websocket: { ...WEBSOCKET, version: 3 }, server_time: { timestamp: 1 } });
  assert.deepEqual(answer, { kind: 'bound', credentials: { ...WEBSOCKET, version: 3 }, pushed: false });
});

test('version 1 and an empty token where the server names none', () => {
  for (const version of [undefined, null, '2', 4, 0]) {
    const answer = read({ websocket: { url: WEBSOCKET.url, version } });
    assert.deepEqual(answer.kind === 'bound' && answer.credentials, {
      url: WEBSOCKET.url,
      token: '',
      version: 1,
    });
  }
});

test('an unbound device is shown its code, also where the server names an address already (problem 37)', () => {
  const activation = {
    code: '123456',
    message: 'console.example\n123456',
    challenge: 'x',
    timeout_ms: 30_000,
  };
  const answer = read({ websocket: WEBSOCKET, activation });
  const shown = { code: '123456', message: 'console.example 123456' };
  assert.deepEqual(answer, { kind: 'unbound', shown, pushed: false });
  assert.deepEqual(read({ activation: { code: 12_345 } }), {
    ...answer,
    shown: { code: '12345', message: '' },
  });
  const silent = read({ activation: { challenge: 'x' } });
  assert.equal(silent.kind === 'unbound' && silent.shown.code, '');
  assert.equal(read({ websocket: WEBSOCKET, activation: {} }).kind, 'bound');
});

test('pushed firmware is noticed and nothing of it is taken', () => {
  const answer = read({ websocket: WEBSOCKET, firmware: { version: '9', url: 'http://x/CANARY', force: 1 } });
  assert.equal(answer.pushed, true);
  assert.ok(!JSON.stringify(answer).includes('http://x'));
  assert.equal(read({ websocket: WEBSOCKET, firmware: { version: '9', url: '' } }).pushed, false);
});

test('each answer that gives no address has its code', () => {
  const causes: [unknown, string][] = [
    [{ mqtt: { endpoint: 'm', password: 'CANARY' } }, 'VOICE_NO_WEBSOCKET'],
    [{}, 'VOICE_NO_WEBSOCKET'],
    [{ error: 'Invalid OTA request CANARY' }, 'VOICE_NOT_REGISTERED'],
    [[], 'VOICE_ANSWER'],
    [null, 'VOICE_ANSWER'],
    [{ websocket: {} }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, url: 'https://x/CANARY' } }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, url: 'wss://x/#CANARY' } }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, url: `wss://x/${'CANARY'.repeat(500)}` } }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, token: 'CANARY\r\nHost: x' } }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, token: 7 } }, 'VOICE_ANSWER'],
    [{ websocket: { ...WEBSOCKET, token: 'CANARY'.repeat(1000) } }, 'VOICE_ANSWER'],
  ];
  for (const [value, code] of causes)
    assert.equal(refusal(JSON.stringify(value)), code, JSON.stringify(value));
  for (const text of ['', '<html>CANARY', '{"websocket":', '['.repeat(200_000)])
    assert.equal(refusal(text), 'VOICE_ANSWER', text.slice(0, 20));
});

test('what is shown to people is cut and has no control characters', () => {
  const answer = read({ activation: { code: '1\u001b[2J2', message: `${'あ'.repeat(2000)}` } });
  assert.ok(answer.kind === 'unbound');
  assert.equal(answer.shown.code, '1 [2J2');
  assert.equal([...answer.shown.message].length, 500);
});

test('what a file kept is credentials or nothing', () => {
  assert.deepEqual(checkCredentials({ ...WEBSOCKET, version: 2 }), { ...WEBSOCKET, version: 2 });
  for (const value of [undefined, null, 7, [], {}, { url: 'x' }])
    assert.equal(checkCredentials(value), undefined);
});
