import type { Dirent } from 'node:fs';
import { type FileHandle, opendir } from 'node:fs/promises';
import { handlePath } from './root.ts';

export type EntryType = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device' | 'unknown';

export interface Entry {
  /** As stored: Linux names are bytes, not text. */
  readonly name: Buffer;
  readonly type: EntryType;
}

/** Entries of one folder that are looked at, for a listing, a search or a nearest name. */
export const MAX_ENTRIES = 20_000;

/**
 * Reads a folder through its handle, in the order of the disk; `wanted` is called until it returns false. An abort ends
 * it before the next entry and throws the signal's reason.
 */
export async function readEntries(
  folder: FileHandle,
  signal: AbortSignal,
  wanted: (entry: Entry) => boolean,
): Promise<void> {
  // The types know names as text only; with encoding 'buffer' they are Buffers.
  const directory = await opendir(handlePath(folder), {
    encoding: 'buffer' as BufferEncoding,
    bufferSize: 256,
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const entry = (await directory.read()) as unknown as Dirent<Buffer> | null;
      if (entry === null || !wanted({ name: entry.name, type: typeOf(entry) })) return;
    }
  } finally {
    await directory.close();
  }
}

type Kinds = 'File' | 'Directory' | 'SymbolicLink' | 'FIFO' | 'Socket' | 'CharacterDevice' | 'BlockDevice';

/** Of a directory entry or of `Stats` alike. */
export function typeOf(entry: Pick<Dirent, `is${Kinds}`>): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  return entry.isCharacterDevice() || entry.isBlockDevice() ? 'device' : 'unknown';
}
