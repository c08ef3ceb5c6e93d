import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';
import { describe, it } from 'node:test';
import { execute } from '../../image/execute.ts';
import { forProof } from '../prerequisite.ts';
import { FirstMoments } from './first-moments.ts';
import { TOOL } from './tiny-image.ts';

const { skip } = forProof(TOOL);
const NOTES = '/state/var/lib/aivoice/notes';
const BLOCK = 4096;
/** Of the superblock, in the second group of blocks. */
const FIRST_COPY = 32_768 * BLOCK;

/** A board whose data partition is a file with a file system on it, in which a note lies. */
async function board(): Promise<{ moments: FirstMoments; device: string }> {
  const moments = new FirstMoments();
  moments.put(`tree${NOTES}`, 'milk\n');
  moments.put('tree/state/etc/aivoice/endpoint', '');
  moments.put('device', '');
  const device = moments.path('device');
  truncateSync(device, 256 << 20);
  await execute('mke2fs', ['-q', '-t', 'ext4', '-b', `${BLOCK}`, '-d', moments.path('tree'), device]);
  return { moments, device };
}

async function notesOn(device: string): Promise<string> {
  return (await execute('debugfs', ['-R', `cat ${NOTES}`, device])).stdout;
}

/**
 * As on a card whose data has grown: the kernel then writes its own superblock, of a file system in use, over the copies.
 * The first pass of e2fsck ends with the recovery of the journal.
 */
async function loseFirstBlock(device: string): Promise<void> {
  await execute('debugfs', ['-w', '-R', 'feature needs_recovery', device]);
  const disk = openSync(device, 'r+');
  const superblock = Buffer.alloc(1024);
  readSync(disk, superblock, 0, superblock.length, 1024);
  writeSync(disk, superblock, 0, superblock.length, FIRST_COPY);
  writeSync(disk, Buffer.alloc(BLOCK), 0, BLOCK, 0);
  closeSync(disk);
}

describe('a data partition that is damaged', { skip }, () => {
  it('a sound one is left as it is', async () => {
    const { moments, device } = await board();
    using _ = moments;
    assert.equal(moments.mountData(device), '');
    assert.equal(moments.text('boot/data'), 'ok\n');
  });

  it('the box is dead after the first block of its data was lost, until somebody checks the card twice', async () => {
    const { moments, device } = await board();
    using _ = moments;
    await loseFirstBlock(device);
    assert.match(moments.mountData(device), /^4 data partition was mended/);
    assert.equal(moments.text('boot/data'), 'repaired\n');
    assert.equal((await execute('e2fsck', ['-fn', device])).code, 0);
    assert.equal(await notesOn(device), 'milk\n');
  });

  it('what shows only in use is looked at once more', async () => {
    const { moments, device } = await board();
    using _ = moments;
    moments.standIn('find', `[ -e ${moments.path('seen')} ] || { touch ${moments.path('seen')}; exit 1; }`);
    assert.equal(moments.mountData(device), '');
    assert.equal(moments.text('boot/data'), 'ok\n');
    assert.match(moments.text('mounts'), /^umount /m);
    assert.doesNotMatch(moments.text('mounts'), /tmpfs/);
  });

  it('damage behind a clean mark is mended once the use of it has shown it', async () => {
    const { moments, device } = await board();
    using _ = moments;
    await execute('debugfs', ['-w', '-R', 'clri /state/etc', device]);
    const whole = `e2fsck -fn ${device} >&2`;
    moments.standIn('find', whole); // as the kernel that meets it
    assert.match(moments.mountData(device), /^4 data partition was mended/);
    assert.equal(moments.text('boot/data'), 'repaired\n');
    assert.equal(await notesOn(device), 'milk\n');
  });

  for (const program of ['find', 'touch'])
    it(`one that cannot be used is left alone, and the box runs without (${program} fails)`, async () => {
      const { moments, device } = await board();
      using _ = moments;
      moments.standIn(program, 'exit 1');
      assert.match(moments.mountData(device), /^3 data partition is lost/);
      assert.equal(moments.text('boot/data'), 'lost\n');
      assert.match(moments.text('mounts'), /^umount .*\n-t tmpfs .*\/data$/m);
      assert.equal(await notesOn(device), 'milk\n');
    });
});
