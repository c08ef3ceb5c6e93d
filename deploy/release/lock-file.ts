import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';

/** A package as package-lock.json pins it. */
interface LockedPackage {
  readonly version: string;
  /** Subresource integrity of the packed package. */
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** By folder, relative to the checkout: `node_modules/a/node_modules/b`. */
export type LockFile = Readonly<Record<string, LockedPackage>>;

export function readLockFile(): LockFile {
  return JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')).packages;
}

/**
 * The folders of these packages and of all that they depend on, without those of `unwanted` and what only those need.
 * A dependency is looked up as Node does: from the folder of who asks for it upwards.
 */
export function closureOf(
  lock: LockFile,
  roots: readonly string[],
  unwanted: readonly string[] = [],
): readonly string[] {
  const found = new Set<string>();
  const add = (from: string, name: string) => {
    const folder = lookUp(lock, from, name);
    if (found.has(folder) || unwanted.includes(name)) return;
    found.add(folder);
    for (const needed of Object.keys(lock[folder]?.dependencies ?? {})) add(folder, needed);
  };
  for (const root of roots) add('', root);
  return [...found].toSorted();
}

/** The name of the package in a folder: what stands behind the last `node_modules/`. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function lookUp(lock: LockFile, from: string, name: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock[folder]) return folder;
    if (at === '') throw new Error(`package-lock.json has no ${name}, which ${from || 'the release'} needs`);
  }
}
