import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '#kernel/fault.ts';

/**
 * What survives a power cut at any instant: the new content stands whole beside the old one before one rename puts it
 * in place, and the folder is synced, so that what is done later is never on the card without it.
 */

/** Temporary names begin and end so: whoever cleans the store knows them by it. */
export const TEMPORARY = /^\..*\.tmp$/;

/** Who may read a file: its group is that of whoever writes it, where none is given. */
export interface Access {
  readonly mode: number;
  readonly group?: number | undefined;
}

/** Puts a file in place of what has its name, if anything. */
export function writeDurably(path: string, text: string, { mode, group }: Access = { mode: 0o644 }): void {
  const fresh = temporary(path);
  rmSync(fresh, { recursive: true, force: true });
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(fresh, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
  try {
    writeFileSync(file, text);
    if (group !== undefined) fchownSync(file, process.getuid?.() ?? -1, group);
    fchmodSync(file, mode); // whatever the umask
    fsyncSync(file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameDurably(fresh, path);
}

/** Makes an empty file, whose being there is all it says: one write to the card less than a file with content. */
export function markDurably(path: string): void {
  closeSync(openSync(path, constants.O_CREAT | constants.O_NOFOLLOW | constants.O_WRONLY, 0o644));
  syncFolder(dirname(path));
}

/** Whether something could not be written for want of room. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errnoOf(error));
}

/** Puts a symbolic link in place of what has its name, if anything. */
export function linkDurably(path: string, target: string): void {
  const fresh = temporary(path);
  rmSync(fresh, { recursive: true, force: true });
  symlinkSync(target, fresh);
  renameDurably(fresh, path);
}

export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Removes a file or link, and what a mended file system shows in its place; one that is not there is no error. */
export function removeDurably(path: string): void {
  rmSync(path, { recursive: true, force: true });
  syncFolder(dirname(path));
}

function syncFolder(folder: string): void {
  const file = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function temporary(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
