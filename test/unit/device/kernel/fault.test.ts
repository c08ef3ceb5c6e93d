import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SENTENCES, sentence } from '../../../../device/kernel/codes.ts';
import { errnoOf, Fault, messageOf } from '../../../../device/kernel/fault.ts';

test('a fault has a code, a sentence and a cause', () => {
  const cause = new Error('why');
  const fault = new Fault('TLS', 'not trusted', { cause });
  assert.deepEqual(
    [fault.code, fault.message, fault.cause, fault.name],
    ['TLS', 'not trusted', cause, 'Fault'],
  );
  assert.ok(!('cause' in new Fault('TLS', 'x')));
});

test('anything thrown has a message and an error code, which may be empty', () => {
  assert.equal(errnoOf(Object.assign(new Error('x'), { code: 'ENOENT' })), 'ENOENT');
  for (const odd of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 5 }),
    'ENOENT',
    null,
    undefined,
    {},
  ])
    assert.equal(errnoOf(odd), '');
  assert.deepEqual(
    [messageOf(new Error('x')), messageOf('y'), messageOf(undefined)],
    ['x', 'y', 'undefined'],
  );
});

test('every code has a sentence in both languages', () => {
  for (const [code, { ja, en }] of Object.entries(SENTENCES)) {
    assert.match(code, /^[A-Z][A-Z0-9_]+$/);
    assert.match(ja, /[\u3040-\u30ff\u4e00-\u9fff].*。$/s, code);
    assert.match(en, /^[A-Z][ -~]+$/, code);
  }
  assert.equal(sentence('STOPPED', 'ja'), '停止しました。');
  assert.equal(sentence('STOPPED', 'en'), 'Stopped.');
  assert.equal(sentence('STOPPED', 'both'), '停止しました。 / Stopped.');
});
