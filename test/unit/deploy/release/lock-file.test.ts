import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closureOf, type LockFile, nameOf } from '../../../../deploy/release/lock-file.ts';

const version = '1.0.0';
const lock: LockFile = {
  'node_modules/port': { version, dependencies: { '@port/bindings': '1', debug: '4' } },
  'node_modules/@port/bindings': { version, dependencies: { debug: '4', headers: '1', line: '1' } },
  'node_modules/@port/bindings/node_modules/debug': { version, dependencies: { ms: '2' } },
  'node_modules/debug': { version, dependencies: { ms: '2' } },
  'node_modules/ms': { version },
  'node_modules/line': { version, dependencies: { '@port/bindings': '1' } },
  'node_modules/headers': { version, dependencies: { compiler: '1' } },
  'node_modules/compiler': { version },
  'node_modules/unrelated': { version },
};

test('a package brings all that it needs, each from the folder that Node would find it in', () => {
  assert.deepEqual(closureOf(lock, ['port'], ['headers']), [
    'node_modules/@port/bindings',
    'node_modules/@port/bindings/node_modules/debug',
    'node_modules/debug',
    'node_modules/line',
    'node_modules/ms',
    'node_modules/port',
  ]);
});

test('what is not wanted stays away together with what only it needs', () => {
  assert.deepEqual(closureOf(lock, ['headers', 'ms'], ['compiler']), [
    'node_modules/headers',
    'node_modules/ms',
  ]);
  assert.deepEqual(closureOf(lock, ['headers', 'ms'], ['headers']), ['node_modules/ms']);
});

test('a dependency that the lock does not have is an error that says who needs it', () => {
  const torn: LockFile = { 'node_modules/port': { version, dependencies: { gone: '1' } } };
  assert.throws(() => closureOf(torn, ['port']), /has no gone, which node_modules\/port needs/);
  assert.throws(() => closureOf(torn, ['other']), /has no other, which the release needs/);
});

test('a package is named by what stands behind the last node_modules', () => {
  assert.equal(nameOf('node_modules/a/node_modules/@b/c'), '@b/c');
});
