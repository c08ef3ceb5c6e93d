import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { packArchive } from '../../../../deploy/release/archive.ts';
import { plain, runnable } from '../../../../deploy/release/release-file.ts';

const long = `node_modules/${'deep/'.repeat(60)}file.js`;
const files = [
  plain('manifest.json', '{}'),
  plain('empty', ''),
  plain(long, 'x'),
  runnable('bin/large', Buffer.alloc(3_000_001, 'large')),
];
const how = { time: 1_800_000_000, level: 3 };

test('an archive holds its files in their order, with nothing of the machine that made it', async () => {
  const heads: Header[] = [];
  const bodies: Buffer[] = [];
  const tar = extract();
  tar.end(zstdDecompressSync(await packArchive(files, how)));
  for await (const entry of tar) {
    heads.push(entry.header);
    bodies.push(await buffer(entry));
  }
  assert.deepEqual(
    heads.map(({ name, mode, type, uid, gid, uname, gname, mtime }) => ({
      ...{ name, mode, type, uid, gid, uname, gname },
      time: Number(mtime) / 1000,
    })),
    files.map(({ path, mode }) => ({
      ...{ name: path, mode, type: 'file', uid: 0, gid: 0, uname: '', gname: '' },
      time: how.time,
    })),
  );
  assert.deepEqual(
    bodies,
    files.map(({ bytes }) => bytes),
  );
});

test('the same files make the same bytes, whatever their level', async () => {
  for (const level of [1, 9]) {
    const [one, other] = [
      await packArchive(files, { ...how, level }),
      await packArchive(files, { ...how, level }),
    ];
    assert.ok(one.length > 100 && one.equals(other), `level ${level}`);
  }
});
