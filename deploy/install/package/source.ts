import { constants, type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf, Fault } from '#kernel/fault.ts';
import type { Context } from '../context.ts';
import type { Fetched } from './fetch.ts';

/** A release file, opened once: what is put in its place afterwards is another file. */
export interface Source {
  readonly file: FileHandle;
  /** What people know it by. An URL may hold a token, so only its host and file name are told. */
  readonly name: string;
  /** Where it stands in the store, and can go when it is in place. */
  readonly upload?: string;
}

/** An upload is known by the hash of its bytes. */
export const SHA256 = /^[0-9a-f]{64}$/;

/** Whether it is an address and no file, and so may hold a key. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

/** Opens what has been fetched. Throws RELEASE_UNREACHABLE. */
export async function openFetched({ path, name }: Fetched): Promise<Source> {
  return { file: await openFile(path, name), name, upload: path };
}

/** Opens a file, or an upload by its hash. Throws RELEASE_UNREACHABLE. */
export async function openStored(context: Context, source: string): Promise<Source> {
  if (!SHA256.test(source)) return { file: await openFile(source, source), name: basename(source) };
  const upload = join(context.store.places.incoming, `${source}.tar.zst`);
  return { file: await openFile(upload, `upload ${source}`), name: source.slice(0, 12), upload };
}

async function openFile(path: string, name: string): Promise<FileHandle> {
  try {
    // Without waiting for a writer, should it be a pipe.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw new Fault('RELEASE_UNREACHABLE', `${name}: ${errnoOf(error) || 'cannot be opened'}`, {
      cause: error,
    });
  }
  throw new Fault('RELEASE_UNREACHABLE', `${name} is no file`);
}
