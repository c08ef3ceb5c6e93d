import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkName, readManifest, unpackedSize } from '../../../../../deploy/install/package/manifest.ts';

const SHA = 'a'.repeat(64);
const file = (path: string, size = 1) => ({ path, mode: 0o644, size, sha256: SHA });
const NEEDED = ['bin/node', 'bin/aivoice', 'bin/aivoice-install', 'dist/aivoice.js', 'dist/install.js'];

function bytes(fields: object = {}, more: readonly object[] = []): Buffer {
  const files = [...NEEDED.map((path) => file(path)), ...more];
  const minimumOs = { level: 1, glibc: '2.36' };
  return Buffer.from(
    JSON.stringify({
      schema: 1,
      name: 'aivoice',
      version: '1.2.3',
      arch: 'arm64',
      minimumOs,
      files,
      ...fields,
    }),
  );
}

test('a manifest is read, and fields that later versions add are passed over', () => {
  const manifest = readManifest(bytes({ later: true }));
  assert.equal(manifest.version, '1.2.3');
  assert.equal(manifest.files.length, NEEDED.length);
  assert.match(manifest.sha256, /^[0-9a-f]{64}$/);
});

test('what is wrong in a manifest is named', () => {
  for (const [fields, message] of [
    [{ schema: 2 }, /schema 1/],
    [{ name: 'other' }, /aivoice/],
    [{ version: '1.2' }, /1\.2\.3/],
    [{ version: '../1.2.3' }, /version/],
    [{ version: 'v1.2.3' }, /version/],
    [{ arch: 7 }, /arch/],
    [{ files: {} }, /list of files/],
    [{ files: [file('bin/node')] }, /has no bin\/aivoice$/],
  ] as const)
    assert.throws(() => readManifest(bytes(fields)), { code: 'RELEASE_DAMAGED', message });
  assert.throws(() => readManifest(Buffer.from('[')), { code: 'RELEASE_DAMAGED' });
  assert.throws(() => readManifest(Buffer.from([0xff])), { code: 'RELEASE_DAMAGED' });
  assert.throws(() => readManifest(Buffer.from('null')), { code: 'RELEASE_DAMAGED' });
});

test('a file that cannot be is named', () => {
  for (const [more, message] of [
    [file('bin/node'), /twice/],
    [file('manifest.sig'), /lists manifest\.sig/],
    [file('bin/node/x'), /inside of a file/],
    [file('huge', 2 ** 31), /huge/],
    [{ ...file('set-user-id'), mode: 0o4755 }, /set-user-id/],
    [{ ...file('hash'), sha256: 'A'.repeat(64) }, /hash/],
    [{ ...file('size'), size: -1 }, /size/],
    [{ mode: 0o644 }, /without a path/],
  ] as const)
    assert.throws(() => readManifest(bytes({}, [more])), { code: 'RELEASE_DAMAGED', message });
});

test('all files together have a limit', () => {
  const many = [file('one', 2 ** 29), file('two', 2 ** 29)];
  assert.throws(() => readManifest(bytes({}, many)), {
    code: 'RELEASE_DAMAGED',
    message: /at most unpacked/,
  });
});

test('no name leads out of a release', () => {
  for (const name of [
    '',
    '/',
    '/etc',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    'a\nb',
    'a\0b',
    'x'.repeat(513),
  ])
    assert.throws(() => checkName(name), { code: 'RELEASE_UNSAFE' }, JSON.stringify(name));
  for (const name of ['a', 'a/b', '...', 'a..b', '日本 語.js']) checkName(name);
});

test('small files take whole blocks', () => {
  const { files } = readManifest(bytes({}, [file('empty', 0), file('more', 4097)]));
  assert.equal(unpackedSize({ files }), NEEDED.length * 4096 + 8192);
});
