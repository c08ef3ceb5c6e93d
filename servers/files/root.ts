import { constants } from 'node:fs';
import { access, type FileHandle, open, readdir, readlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formOf } from './names.ts';
import { Refusal } from './refusal.ts';
import type { RootTrouble } from './words.ts';

/** Missing from node:fs: names a file without opening it, so that looking at a pipe or a device has no effect on it. */
export const O_PATH = 0o10000000;

export interface Root extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Absolute spellings of the root that a caller may use: as configured, and as the kernel knows it. */
  readonly spellings: readonly string[];
}

/** The path by which the kernel reaches an open handle itself, whatever its name has become meanwhile. */
export function handlePath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/**
 * Opens the shared folder. Done anew for every call: one that is made, mounted or replaced later is simply there.
 * Fails with `FILES_NO_ROOT`, which says what is wrong and shows no path of the machine.
 */
export async function openRoot(setting: string | undefined): Promise<Root> {
  if (setting === undefined || setting === '') throw noRoot('unset');
  const configured = resolve(setting);
  const handle = await openFolder(configured).catch(async (error) => {
    if (errnoOf(error) !== 'ENOENT') throw noRoot(troubleOf(error));
    return openByForm(configured);
  });
  try {
    await access(handlePath(handle), constants.R_OK | constants.X_OK);
    const spellings = [configured, await readlink(handlePath(handle))];
    return { handle, spellings, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw noRoot(troubleOf(error));
  }
}

export function noRoot(trouble: RootTrouble): Refusal {
  return new Refusal('FILES_NO_ROOT', (words) => words.noRoot(trouble), { reason: trouble });
}

function openFolder(path: string | Buffer): Promise<FileHandle> {
  return open(path, O_PATH | constants.O_DIRECTORY);
}

/** The setting was typed in one Unicode form and the disk has the other: compares each part by form. */
async function openByForm(path: string): Promise<FileHandle> {
  let at = '/';
  for (const part of path.split('/').filter((each) => each !== '')) {
    const names = await readdir(at).catch((error) => Promise.reject(noRoot(troubleOf(error))));
    const same = names.includes(part) ? [part] : names.filter((name) => formOf(name) === formOf(part));
    if (same.length !== 1) throw noRoot('missing');
    at = resolve(at, same[0] ?? part);
  }
  return openFolder(at).catch((error) => Promise.reject(noRoot(troubleOf(error))));
}

function troubleOf(error: unknown): RootTrouble {
  const errno = errnoOf(error);
  if (errno === 'ENOENT') return 'missing';
  return errno === 'ENOTDIR' ? 'file' : 'unreadable';
}

function errnoOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
