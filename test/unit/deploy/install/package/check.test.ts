import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLower } from '../../../../../deploy/install/package/check.ts';

test('versions of the C library are compared by their numbers', () => {
  for (const [version, than, lower] of [
    ['2.36', '2.36', false],
    ['2.36', '2.4', false],
    ['2.4', '2.36', true],
    ['2.36', '2.36.1', true],
    ['3', '2.99', false],
    ['1.99', '2', true],
  ] as const)
    assert.equal(isLower(version, than), lower, `${version} < ${than}`);
});
