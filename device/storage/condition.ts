import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '#kernel/codes.ts';

/** Where the system tells of the data partition. All paths are absolute; nothing need be there. */
export interface StoragePlaces {
  /** What the first moments of the boot found: `data` (one word) and `device` (its name, like mmcblk0p4). */
  readonly boot: string;
  /** A folder for each ext4 in use: what the kernel tells of it (Documentation/ABI/testing/sysfs-fs-ext4). */
  readonly kernel: string;
}

export interface Condition {
  /** Absent where all is well. */
  readonly code?: Code;
  /** A short English phrase. */
  readonly reason: string;
}

/** What the words of the first moments mean. */
const AMISS: Readonly<Record<string, string>> = {
  lost: 'the data partition is lost',
  missing: 'there is no data partition',
  partly: 'a part of the data cannot be kept',
};

/** `root` is `/`, or the folder that stands for it in a test. */
export function storagePlaces(root: string): StoragePlaces {
  return { boot: join(root, 'run/aivoice-boot'), kernel: join(root, 'sys/fs/ext4') };
}

/** How the data partition was found at this boot, and whether it has answered with errors since. */
export function readCondition({ boot, kernel }: StoragePlaces): Condition {
  const word = read(join(boot, 'data'));
  if (word === 'skipped') return { code: 'DATA_SKIPPED', reason: 'the data partition is left alone' };
  if (word !== 'ok' && word !== 'repaired')
    return { code: 'DATA_NOT_KEPT', reason: AMISS[word] ?? 'nothing is known of the data partition' };
  const device = read(join(boot, 'device'));
  // Kept on the disk: it is the check at the next boot that begins anew.
  const errors = device === '' ? 0 : Number(read(join(kernel, device, 'errors_count')));
  if (errors > 0) return { code: 'DATA_ERRORS', reason: `${errors} errors since it was checked` };
  return { reason: word === 'repaired' ? 'mended at this boot' : 'no errors' };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().slice(0, 40);
  } catch {
    return '';
  }
}
