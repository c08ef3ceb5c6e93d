import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEnvelopeReader, type Envelope } from '../../../bridge/envelope.ts';
import { isStrict, strict } from '../../../bridge/server-line.ts';

const judge = (text: string) => {
  const message = Buffer.from(text);
  return isStrict(message, createEnvelopeReader().read(message) as Envelope);
};

test('an answer that a strict client would refuse does not go on as it is', () => {
  for (const text of [
    '{"jsonrpc":"2x0","id":1,"result":{}}',
    '{"jsonrpc":12304,"id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":null}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"a"}}',
    '{"jsonrpc":"2.0","id":1,"method":5,"result":{}}',
  ]) {
    assert.equal(judge(text), false, text);
    assert.equal(judge(strict(Buffer.from(text)).toString()), true, text);
  }
});

test('a sound answer is left alone', () => {
  assert.equal(judge('{"jsonrpc":"2.0","id":1,"result":{}}'), true);
  assert.equal(judge('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"a","data":1}}'), true);
});
