import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { lockFiles } from './lock.ts';
import type { Places } from './places.ts';

/**
 * Makes what is missing of the store's folders. A file system that was mended may show anything under a name of ours, and
 * no update or undo gets past that: what is of the wrong kind goes. The store itself may be a link to a larger disk.
 */
export function straighten(places: Places): void {
  const { store, releases, staging, incoming, bad } = places;
  const folders = [releases, staging, incoming, bad];
  for (const path of folders) removeUnless(path, (found) => found.isDirectory());
  for (const path of [places.current, places.good, places.previous])
    removeUnless(path, (found) => found.isSymbolicLink());
  for (const path of [store, ...folders]) mkdirSync(path, { recursive: true, mode: 0o755 });
  const verdicts = readdirSync(bad).map((name) => join(bad, name));
  for (const path of [places.update, places.undone, places.starting, ...lockFiles(places), ...verdicts])
    removeUnless(path, (found) => found.isFile());
}

function removeUnless(path: string, isRight: (found: Stats) => boolean): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !isRight(found)) rmSync(path, { recursive: true, force: true });
}
