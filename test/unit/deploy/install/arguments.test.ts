import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from '../../../../deploy/install/arguments.ts';

const SHA = '0123456789abcdef'.repeat(4);

test('every verb is read with what belongs to it', () => {
  for (const [line, request] of [
    [
      'apply a.tar.zst',
      { verb: 'apply', source: 'a.tar.zst', downgrade: false, again: false, deadlineMs: 120_000 },
    ],
    [
      'apply u --downgrade --again --deadline 30',
      { verb: 'apply', source: 'u', downgrade: true, again: true, deadlineMs: 30_000 },
    ],
    ['check f', { verb: 'check', source: 'f' }],
    [`have ${SHA}`, { verb: 'have', sha256: SHA }],
    [`receive ${SHA} 100 --from 7`, { verb: 'receive', sha256: SHA, size: 100, from: 7 }],
    [`receive ${SHA} 100`, { verb: 'receive', sha256: SHA, size: 100, from: 0 }],
    ['rollback', { verb: 'rollback', deadlineMs: 120_000 }],
    ['guard', { verb: 'guard' }],
    ['--help', { verb: 'help' }],
  ] as const)
    assert.deepEqual(readRequest(line.split(' ')).request, request, line);
  assert.equal(readRequest(['releases', '--json']).json, true);
});

test('what cannot be meant is wrong usage', () => {
  for (const line of [
    '',
    'install',
    'apply',
    'apply a b',
    'apply a --deadline 5',
    'apply a --deadline soon',
    'apply a --force',
    'have abc',
    `receive ${SHA}`,
    `receive ${SHA} -1`,
    `receive ${SHA} 100 --from 101`,
    'guard now',
    'constructor',
  ])
    assert.throws(() => readRequest(line.split(' ').filter(Boolean)), { code: 'USAGE' }, line);
});
