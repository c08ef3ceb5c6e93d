import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** What programs of ours write down for each other is small; a larger file is not one of theirs. */
const MAX_BYTES = 256 << 10;

/**
 * The object in a small JSON file (256 kB), or `undefined` where there is none that can be read: such files come and go by
 * renames, and a torn one must stop nothing.
 */
export function readObject(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readBounded(path));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function readBounded(path: string): string {
  // Neither a link nor a pipe: they are written as files, and who reads must not wait.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(file);
    if (size > MAX_BYTES) throw new Error(`expected ${MAX_BYTES} bytes at most, got ${size}`);
    const bytes = Buffer.alloc(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read)
      read = readSync(file, bytes, length, size - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** A text of at most `most` characters, or `''` where it is none. */
export function textIn(value: unknown, most: number): string {
  return typeof value === 'string' ? value.slice(0, most) : '';
}
