import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { handlePath, O_PATH } from './root.ts';

/** One step of a walk: a name in the folder before it, held open by O_PATH. */
export interface Level {
  readonly name: Buffer;
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens a name in a folder without following it and without touching what it names. */
export async function openLevel(folder: FileHandle, name: Buffer): Promise<Level> {
  const handle = await open(below(folder, name), O_PATH | constants.O_NOFOLLOW);
  try {
    return { name, handle, stats: await handle.stat() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function closeAll(levels: readonly Level[]): Promise<void> {
  await Promise.all(levels.map(({ handle }) => handle.close()));
}

/**
 * The target of a link as names to be walked from the folder that holds it; undefined for an absolute one. The link may
 * have been swapped since it was seen: whatever is read here is only walked, never opened as a path.
 */
export async function readTarget(folder: FileHandle, name: Buffer): Promise<Buffer[] | undefined> {
  const target = await readlink(below(folder, name), { encoding: 'buffer' });
  if (target[0] === SLASH) return undefined;
  const parts: Buffer[] = [];
  for (let start = 0; start <= target.length; ) {
    const slash = target.indexOf(SLASH, start);
    const end = slash === -1 ? target.length : slash;
    const part = target.subarray(start, end);
    if (part.length > 0 && !part.equals(SELF)) parts.push(part);
    start = end + 1;
  }
  return parts;
}

/** `..` in the target of a link; in what a caller asks for it has been resolved before. */
export function isParent(name: string | Buffer): boolean {
  return typeof name !== 'string' && name.equals(PARENT);
}

const SLASH = 0x2f;
const SELF = Buffer.from('.');
const PARENT = Buffer.from('..');

function below(folder: FileHandle, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${handlePath(folder)}/`), name]);
}
