import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { canonical, manifestOf } from '../../../../deploy/release/manifest.ts';
import { plain, runnable } from '../../../../deploy/release/release-file.ts';

const facts = {
  version: '1.2.3',
  arch: 'arm64',
  node: '26.0.0',
  origin: { commit: 'f'.repeat(40), time: 1_800_000_000 },
} as const;
const files = [plain('dist/b.js', 'b'), plain('dist/B.js', 'B'), runnable('bin/a', 'abc')];

test('a manifest lists its files in the order of their bytes, with mode, size and hash', () => {
  const { files: listed, builtAt, minimumOs } = manifestOf(files, facts);
  assert.deepEqual(
    listed.map(({ path, mode, size }) => [path, mode, size]),
    [
      ['bin/a', 0o755, 3],
      ['dist/B.js', 0o644, 1],
      ['dist/b.js', 0o644, 1],
    ],
  );
  assert.equal(listed[0]?.sha256, createHash('sha256').update('abc').digest('hex'));
  assert.equal(builtAt, '2027-01-15T08:00:00.000Z');
  assert.deepEqual(minimumOs, { level: 1, glibc: '2.36' });
});

test('the bytes of a manifest do not depend on the order in which files and keys were put', () => {
  const one = canonical(manifestOf(files, facts)).toString();
  const { origin, node, arch, version } = facts;
  const other = canonical(manifestOf(files.toReversed(), { origin, node, arch, version })).toString();
  assert.equal(one, other);
  assert.match(one, /^\{"arch":"arm64","builtAt":[^\n]*"version":"1.2.3"\}\n$/);
});
