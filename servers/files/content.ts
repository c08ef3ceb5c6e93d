import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { typeOf } from './directory.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { handlePath } from './root.ts';
import type { Place } from './walk.ts';
import type { SpecialKind } from './words.ts';

/** What a place is, by its own inode. */
export function placeType(place: Place): 'file' | 'directory' | SpecialKind {
  const type = typeOf(place.stats);
  // A link has been followed, so it is none; an inode of no known type is treated like a device.
  return type === 'link' || type === 'unknown' ? 'device' : type;
}

/**
 * Opens a regular file for reading, through the handle that was checked. Pipes and devices were recognised by then and
 * are never opened. A file with a second hard link and a foreign owner may be anything under an innocent name: refused.
 */
export async function openContent(place: Place): Promise<FileHandle> {
  const { path, stats } = place;
  const type = placeType(place);
  if (type === 'directory')
    throw new Refusal('FILES_NOT_A_FILE', (words) => words.isFolder(path), { path, type });
  if (type !== 'file')
    throw new Refusal('FILES_NOT_A_FILE', (words) => words.special(path, type), { path, type });
  if (stats.nlink > 1 && stats.uid !== process.getuid?.()) {
    throw new Refusal('FILES_DENIED', (words) => words.denied(path), { path });
  }
  try {
    return await open(
      handlePath(place.handle),
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch (error) {
    throw refusalOf(error, path);
  }
}

/** Fills `buffer` from `position` on, in one or more steps; returns less than all of it only at the end of the file. */
export async function readAt(file: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
