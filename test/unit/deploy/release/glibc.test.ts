import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGlibc } from '../../../../deploy/release/glibc.ts';
import { plain, runnable } from '../../../../deploy/release/release-file.ts';

test('a binary that asks for a newer C library than is promised makes no release', () => {
  checkGlibc([runnable('bin/node', '\x7fELF…\0GLIBC_2.17\0GLIBC_2.36\0GLIBC_2.2.5\0')]);
  assert.throws(
    () => checkGlibc([runnable('bin/node', '\x7fELF…\0GLIBC_2.17\0GLIBC_2.38\0GLIBC_2.4\0')]),
    /bin\/node needs glibc 2\.38, and a release promises to run with 2\.36/,
  );
});

test('a text that names such a version is no binary', () => {
  checkGlibc([plain('licences/node.txt', 'needs GLIBC_2.99')]);
});
