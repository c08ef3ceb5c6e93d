import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '#kernel/fault.ts';

/** Files that are whole after a power cut at any instant, the old one or the new one. */

export interface FileOptions {
  /** Absent on FAT, which refuses most modes. */
  readonly mode?: number;
  /** Group of the file; root's where it is not given or we may not. */
  readonly gid?: number | undefined;
}

/** Puts a file in place of what has its name, if anything, and makes its folder where it is missing. */
export function keepFile(path: string, text: string, { mode, gid }: FileOptions): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  // Always the same name: a leaving of a power cut is overwritten by the next try, and no second one stays.
  const fresh = join(folder, `.${basename(path)}.new`);
  rmSync(fresh, { force: true });
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(fresh, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    try {
      if (gid !== undefined && process.getuid?.() === 0) fchownSync(file, 0, gid);
      if (mode !== undefined) fchmodSync(file, mode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true }); // A card that is full needs what room it has.
    throw error;
  }
  syncFolder(folder);
}

/** The same, but only where the file holds something else: a card wears out. True where it was written. */
export function keepChanged(path: string, text: string, options: FileOptions): boolean {
  if (readText(path) === text) return false;
  keepFile(path, text, options);
  return true;
}

/** The text of a file; `undefined` where there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return undefined;
    throw error;
  }
}

/** Makes what was done in a folder last. FAT cannot sync a folder, and says EINVAL. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(file);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL') throw error;
  } finally {
    closeSync(file);
  }
}
