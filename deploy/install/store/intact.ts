import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#kernel/fault.ts';
import type { Placed } from './store.ts';

/** Large reads: 157 MB are read and hashed, at the speed of the card. */
const READ_BYTES = 1024 * 1024;
const ANY_EXECUTE = 0o111;

/**
 * Holds every byte of a release in place against its manifest, which takes a small board ten to twenty seconds. Returns what is
 * damaged in a short English phrase, or `undefined`. What the card does not give back is damaged as well.
 */
export async function damageOf({ folder, manifest }: Placed): Promise<string | undefined> {
  for (const { path, mode, sha256 } of manifest.files) {
    const file = join(folder, path);
    try {
      if (mode & ANY_EXECUTE && !(lstatSync(file).mode & ANY_EXECUTE)) return `${path} is not executable`;
      if ((await hashOf(file)) !== sha256) return `${path} is not as it was installed`;
    } catch (error) {
      return `${path} cannot be read (${errnoOf(error) || 'unknown'})`;
    }
  }
  return undefined;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) hash.update(chunk);
  return hash.digest('hex');
}
