import assert from 'node:assert/strict';
import { readFileSync, utimesSync } from 'node:fs';
import { it } from 'node:test';
import { execute } from '../../image/execute.ts';
import { forProof } from '../prerequisite.ts';
import { AT, BOOT_MB, DATA_MB, SLOT_MB, TOOL, Workshop } from './tiny-image.ts';

const { skip } = forProof(TOOL);
const SECTORS_PER_MB = 2048;

/** A workshop with something in its root and on its boot partition. */
function workshop(): Workshop {
  const made = new Workshop();
  made.put('root/etc/hostname', 'aivoice\n');
  made.put('fat/config.txt', 'arm_64bit=1\n');
  made.put('fat/pi5/cmdline.txt', 'quiet\n');
  return made;
}

it('the image begins with FAT32, then come the system, a spare of its size, and the data', {
  skip,
}, async () => {
  using made = workshop();
  const { stdout } = await execute('sfdisk', ['--json', await made.disk('a.img')]);
  const { partitiontable } = JSON.parse(stdout);
  assert.equal(partitiontable.label, 'dos');
  assert.equal(partitiontable.id, '0x61697665');
  assert.deepEqual(
    partitiontable.partitions.map((part: { start: number; size: number; type: string }) => [
      part.start / SECTORS_PER_MB,
      part.size / SECTORS_PER_MB,
      part.type,
    ]),
    [
      [AT.boot, BOOT_MB, 'c'],
      [AT.slot, SLOT_MB, '83'],
      [AT.slot + SLOT_MB, SLOT_MB, '83'],
      [AT.data, DATA_MB, '83'],
    ],
  );
});

it('what is in the folders is on the partitions', { skip }, async () => {
  using made = workshop();
  const image = await made.disk('a.img');
  assert.equal(await made.bootFile(image, 'config.txt'), 'arm_64bit=1\n');
  assert.equal(await made.bootFile(image, 'pi5/cmdline.txt'), 'quiet\n');
  made.put('slot', '');
  await execute('dd', [
    `if=${image}`,
    `of=${made.path('slot')}`,
    'bs=1M',
    `skip=${AT.slot}`,
    `count=${SLOT_MB}`,
  ]);
  const { stdout } = await execute('debugfs', ['-R', 'cat /etc/hostname', made.path('slot')]);
  assert.equal(stdout, 'aivoice\n');
  const { code } = await execute('e2fsck', ['-fn', made.path('slot')]);
  assert.equal(code, 0);
});

it('the data partition has blocks of 4 KiB, which it keeps when it grows to the end of a card', {
  skip,
}, async () => {
  using made = workshop();
  const image = await made.disk('a.img');
  await execute('dd', [
    `if=${image}`,
    `of=${made.path('data')}`,
    'bs=1M',
    `skip=${AT.data}`,
    `count=${DATA_MB}`,
  ]);
  const { stdout } = await execute('dumpe2fs', ['-h', made.path('data')]);
  assert.match(stdout, /^Block size: +4096$/m);
  assert.match(stdout, /^Filesystem volume name: +data$/m);
  assert.match(stdout, /^Filesystem features: .*has_journal.*resize_inode/m);
});

it('the same tree makes the same bytes, whenever its files were read or changed', { skip }, async () => {
  using made = workshop();
  const first = readFileSync(await made.disk('a.img'));
  utimesSync(made.path('fat/config.txt'), 1_600_000_000, 1_600_000_000);
  readFileSync(made.path('root/etc/hostname'));
  assert.ok(first.equals(readFileSync(await made.disk('b.img'))));
});
