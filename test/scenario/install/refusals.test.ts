import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, truncateSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { dice } from '../../dice.ts';
import { proves } from '../../promises.ts';
import { type ArchiveEntry, archive, buildRelease, compress, type Recipe } from '../../release/builder.ts';
import { flipped } from '../../release/flipped.ts';
import { ended, Host, type Run } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { littleTree } from '../../release/little-tree.ts';

/** Half a package, and worse: nothing of it may touch what runs. */
describe('a release that must not be installed', () => {
  let key: SigningKey;
  let host: Host;
  let good: Buffer;
  let pid: number | undefined;
  let own: string;

  before(async () => {
    key = new SigningKey();
    host = new Host({ key });
    await host.boot();
    good = await buildRelease({ version: '1.1.0', key });
    pid = host.systemd.pid;
    own = host.belongings();
  });
  after(async () => {
    await host[Symbol.asyncDispose]();
    key[Symbol.dispose]();
  });

  /** Refused with this code in one line, and everything as it was. */
  async function refused(bytes: Uint8Array, code: string, detail?: RegExp): Promise<Run> {
    const run = await host.install('apply', host.file(bytes, 'その リリース.tar.zst'));
    untouched(run, code, 4);
    if (detail) assert.match(run.stderr, detail);
    return run;
  }

  function untouched(run: Run, code: string, exit: number): void {
    assert.equal(run.code, exit, run.stderr);
    assert.match(run.stderr, new RegExp(`^${code}: .+\\n$`));
    assert.equal(host.systemd.pid, pid);
    assert.equal(host.link('current'), 'factory');
    assert.deepEqual(host.names('staging'), []);
    assert.deepEqual(host.names('releases'), []);
    assert.equal(existsSync(`${host.store}/update.json`), false);
    assert.equal(existsSync(`${host.store}/lock`), false);
    assert.equal(host.belongings(), own);
  }

  const lie = (change: Partial<Recipe>) => buildRelease({ version: '1.1.0', key, ...change });
  const withEntry = (entry: ArchiveEntry) => lie({ entries: (entries) => [...entries, entry] });
  const listing = (path: string) =>
    lie({ files: [...littleTree('1.1.0'), { path, mode: 0o644, bytes: Buffer.from('x') }] });

  for (const [what, sizeOf] of [
    ['no byte', () => 0],
    ['one byte', () => 1],
    ['half', (size: number) => size >> 1],
    ['all but the last byte', (size: number) => size - 1],
  ] as const)
    test(`${what} of the file has arrived`, async () => {
      const size = sizeOf(good.length);
      await refused(good.subarray(0, size), 'RELEASE_INCOMPLETE', new RegExp(`ends after ${size} bytes`));
    });

  test('one bit is flipped, at twenty places', async () => {
    proves('release-whole');
    const roll = dice(26);
    for (let round = 0; round < 20; round++) {
      const { bytes, at } = flipped(good, roll);
      const run = await host.install('check', host.file(bytes));
      assert.equal(run.code, 4, `bit flipped in byte ${at}: ${run.stdout}`);
      untouched(run, 'RELEASE_\\w+', 4);
    }
  });

  test('it is no release at all', async () => {
    await refused(Buffer.from('a text file, by mistake'), 'RELEASE_DAMAGED', /no release/);
    await refused(compress(await archive([])), 'RELEASE_DAMAGED', /manifest/);
  });

  test('nobody has signed it, or somebody whom the appliance does not know, or for another purpose', async () => {
    proves('release-whole');
    using stranger = new SigningKey();
    await refused(await lie({ sign: () => undefined }), 'RELEASE_UNSIGNED');
    await refused(await lie({ key: stranger }), 'RELEASE_UNSIGNED');
    await refused(await lie({ sign: (bytes) => key.sign(bytes, 'file') }), 'RELEASE_UNSIGNED');
    await refused(await lie({ sign: () => Buffer.from('no signature') }), 'RELEASE_UNSIGNED');
    const other = Buffer.from('{"schema":1}');
    await refused(await lie({ sign: () => key.sign(other) }), 'RELEASE_UNSIGNED');
  });

  test('it is for another processor, or a newer system', async () => {
    proves('release-whole');
    const of = (fields: object) => lie({ manifest: (manifest) => ({ ...manifest, ...fields }) });
    await refused(await of({ arch: process.arch === 'x64' ? 'arm64' : 'x64' }), 'RELEASE_WRONG_ARCH');
    await refused(await of({ minimumOs: { level: 2, glibc: '2.36' } }), 'RELEASE_NEEDS_OS', /level 2/);
    await refused(await of({ minimumOs: { level: 1, glibc: '9.1' } }), 'RELEASE_NEEDS_OS', /glibc 9\.1/);
  });

  test('it is older than what runs', async () => {
    proves('release-whole');
    await refused(await lie({ version: '0.9.9' }), 'RELEASE_OLDER', /0\.9\.9 is older than 1\.0\.0/);
  });

  for (const path of ['../../etc/x', '/etc/x', 'dist/../../x', 'dist//x', './x', 'dist/x\nname', 'a\\b'])
    test(`a file of it is called ${JSON.stringify(path)}`, async () => {
      await refused(await withEntry({ name: path, bytes: Buffer.from('x') }), 'RELEASE_UNSAFE');
      await refused(await listing(path), 'RELEASE_UNSAFE');
    });

  for (const type of ['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const)
    test(`a ${type} is among its files`, async () => {
      await refused(
        await withEntry({ name: 'dist/way-out', type, linkname: '/etc' }),
        'RELEASE_UNSAFE',
        /way-out/,
      );
    });

  test('a link comes first, and a file that goes through it', async () => {
    proves('release-whole');
    const files = [
      { name: 'out', type: 'symlink' as const, linkname: '/tmp' },
      { name: 'out/x', bytes: Buffer.from('x') },
    ];
    await refused(await lie({ entries: (entries) => [...entries, ...files] }), 'RELEASE_UNSAFE');
    assert.equal(existsSync('/tmp/x'), false);
  });

  test('its files are not those of the manifest', async () => {
    const more = { name: 'dist/more.js', bytes: Buffer.from('x') };
    await refused(await withEntry(more), 'RELEASE_DAMAGED', /not in the manifest/);
    await refused(await withEntry({ name: 'dist', type: 'directory' }), 'RELEASE_DAMAGED', /folder/);
    await refused(
      await lie({ entries: (entries) => [...entries, entries.at(-2)!] }),
      'RELEASE_DAMAGED',
      /twice/,
    );
    await refused(await lie({ entries: (entries) => entries.slice(0, -1) }), 'RELEASE_DAMAGED', /missing/);
    const change = (changed: Partial<ArchiveEntry>) =>
      lie({
        entries: (entries) =>
          entries.map((entry) => (entry.name === 'bin/node' ? { ...entry, ...changed } : entry)),
      });
    await refused(await change({ mode: 0o4755 }), 'RELEASE_DAMAGED', /bin\/node/);
    await refused(await change({ bytes: Buffer.from('#!/bin/sh\n') }), 'RELEASE_DAMAGED', /bin\/node/);
  });

  test('its manifest lies', async () => {
    const of = (fields: object) => lie({ manifest: (manifest) => ({ ...manifest, ...fields }) });
    for (const fields of [
      { schema: 2 },
      { name: 'other' },
      { version: '../x' },
      { version: 'new' },
      { files: [] },
    ])
      await refused(await of(fields), 'RELEASE_DAMAGED');
    const huge = { path: 'dist/huge', mode: 0o644, size: 2 ** 40, sha256: '0'.repeat(64) };
    const listed = lie({
      manifest: (manifest) => ({ ...manifest, files: [...(manifest.files as object[]), huge] }),
    });
    await refused(await listed, 'RELEASE_DAMAGED', /dist\/huge/);
  });

  test('it unpacks to more than its manifest says', async () => {
    const bomb = { name: 'dist/install.js', bytes: Buffer.alloc(64 * 1024 * 1024) };
    const swap = (entries: readonly ArchiveEntry[]) =>
      entries.map((entry) => (entry.name === bomb.name ? bomb : entry));
    await refused(await lie({ entries: swap }), 'RELEASE_DAMAGED', /dist\/install\.js/);
  });

  test('there is no such file, or it is a folder', async () => {
    for (const path of ['/nowhere/release.tar.zst', '/tmp', createHash('sha256').digest('hex')])
      untouched(await host.install('apply', path), 'RELEASE_UNREACHABLE', 4);
  });

  test('the appliance trusts no key', async () => {
    const signers = host.write('opt/aivoice/allowed_signers', '');
    await refused(good, 'RELEASE_UNSIGNED');
    host.write('opt/aivoice/allowed_signers', key.signers);
    assert.ok(signers);
  });

  test('it is cut short while it is being installed', async () => {
    const file = host.file(await lie({ files: [...littleTree('1.1.0'), noise(8 * 1024 * 1024)] }));
    const running = host.start('apply', file);
    running.stdout?.once('data', () => truncateSync(file, 100_000));
    untouched(await ended(running), 'RELEASE_\\w+', 4);
  });
});

/** A file that no compression makes small, the same in every run. */
function noise(size: number) {
  const roll = dice(1);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 2) bytes.writeUInt16LE(roll(2 ** 16), at);
  return { path: 'dist/noise', mode: 0o644, bytes };
}
