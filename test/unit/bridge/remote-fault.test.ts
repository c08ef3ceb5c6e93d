import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsSession, faultOfRequest, faultOfStatus } from '../../../bridge/remote-fault.ts';

const WALL = Date.UTC(2026, 10, 30);
const errno = (code: string) => Object.assign(new Error('https://h/?key=secret'), { code });

test('what fails before an answer has a code of its own, and its text is not repeated', () => {
  for (const [name, code] of [
    ['ENOTFOUND', 'REMOTE_DOWN'],
    ['ECONNREFUSED', 'REMOTE_DOWN'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'REMOTE_TLS'],
    ['CERT_NOT_YET_VALID', 'CLOCK'],
    ['HPE_INVALID_CONSTANT', 'REMOTE_ANSWER'],
    ['ERR_INVALID_CHAR', 'CONFIG_INVALID'],
  ] as const) {
    const fault = faultOfRequest(errno(name), WALL);
    assert.equal(fault.code, code);
    assert.doesNotMatch(fault.message, /secret/);
  }
});

test('a status tells a refused key, a lost session and any other slip apart', () => {
  assert.equal(faultOfStatus(401, true, '').code, 'REMOTE_REFUSED');
  assert.equal(faultOfStatus(404, true, '').code, 'REMOTE_EXPIRED');
  assert.equal(faultOfStatus(404, false, '').code, 'REMOTE_ERROR');
  assert.equal(faultOfStatus(400, true, 'Bad Request: No valid session ID provided').code, 'REMOTE_EXPIRED');
  assert.equal(faultOfStatus(400, true, 'bad arguments').code, 'REMOTE_ERROR');
  assert.doesNotMatch(faultOfStatus(500, true, 'secret').message, /secret/);
});

test('only what no request can survive ends a session', () => {
  assert.ok(
    endsSession(faultOfStatus(401, true, '')) && endsSession(faultOfRequest(errno('ECONNREFUSED'), WALL)),
  );
  assert.ok(!endsSession(faultOfStatus(503, true, '')) && !endsSession(faultOfStatus(403, true, '')));
});
