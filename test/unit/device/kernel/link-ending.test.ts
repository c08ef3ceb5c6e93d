import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingOfClose, faultOfDial, faultOfStatus } from '../../../../device/kernel/link-ending.ts';

const TODAY = Date.UTC(2026, 10, 30);

test('a close code is a cause', () => {
  const causes = [1000, 1001, 1005, 1006, 1008, 1011, 1012, 1013, 4004, 1002, 1009, 3000, 4001, 4999].map(
    (code) => endingOfClose(code).code,
  );
  assert.deepEqual(causes, [
    'REPLACED',
    ...Array(3).fill('NET_DOWN'),
    'KEY_REFUSED',
    ...Array(3).fill('NET_DOWN'),
    'CLOUD_4004',
    ...Array(5).fill('CLOUD_CLOSED'),
  ]);
  assert.deepEqual(endingOfClose(4004), {
    asked: false,
    code: 'CLOUD_4004',
    reason: 'last close 4004',
    closed: 4004,
  });
});

test('an HTTP status is a cause', () => {
  const causes = [401, 403, 500, 502, 503, 504, 200, 301, 400, 404, 429].map(
    (status) => faultOfStatus(status).code,
  );
  assert.deepEqual(causes, [
    ...Array(2).fill('KEY_REFUSED'),
    ...Array(4).fill('NET_DOWN'),
    ...Array(5).fill('CLOUD_HTTP'),
  ]);
});

test('an error code of a dial is a cause, and its text stays where it is', () => {
  const fail = (code: string, message = 'wss://host/?token=CANARY') =>
    Object.assign(new Error(message), { code });
  const causes: [code: string, cause: string][] = [
    ['ENOTFOUND', 'NET_NAME'],
    ['EAI_AGAIN', 'NET_NAME'],
    ['ECONNREFUSED', 'NET_DOWN'],
    ['ECONNRESET', 'NET_DOWN'],
    ['ETIMEDOUT', 'NET_DOWN'],
    ['ENETUNREACH', 'NET_DOWN'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS'],
    ['CERT_HAS_EXPIRED', 'TLS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS'],
    ['EPROTO', 'TLS'],
    ['CERT_NOT_YET_VALID', 'CLOCK'],
  ];
  for (const [code, cause] of causes) {
    const fault = faultOfDial(fail(code), TODAY);
    assert.deepEqual([fault.code, fault.message], [cause, `dial failed: ${code}`]);
  }
  assert.equal(
    faultOfDial(fail('CERT_HAS_EXPIRED'), Date.UTC(2000, 0, 1)).code,
    'CLOCK',
    'before any certificate',
  );
  for (const odd of ['text', undefined, new Error('wss://host/?token=CANARY')])
    assert.deepEqual(
      [faultOfDial(odd, TODAY).code, faultOfDial(odd, TODAY).message],
      ['NET_DOWN', 'dial failed: no reason given'],
    );
});
