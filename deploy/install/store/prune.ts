import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import semver from 'semver';
import { tagOf } from '../package/fetch.ts';
import { TEMPORARY } from './durable.ts';
import { isArriving } from './lock.ts';
import { LINKS, type Store } from './store.ts';

const KEPT_BAD = 20;

/**
 * Removes what a killed installer left. Whoever calls it holds the lock of the store, so that nothing of it is at work; an
 * upload or a download may be, and is left alone.
 */
export function clearLeavings(store: Store): void {
  const { places } = store;
  for (const name of names(places.staging)) remove(places.staging, name);
  for (const folder of [places.store, places.bad, ...(isArriving(places) ? [] : [places.incoming])])
    for (const name of names(folder)) if (TEMPORARY.test(name)) remove(folder, name);
  const linked = linkedVersions(store);
  for (const name of names(places.releases))
    if (!linked.has(name) && !store.release(name)) remove(places.releases, name);
}

/**
 * Removes releases, compiled code, uploads and records that nothing needs. What runs, what was last proved good and what
 * was good before it always stay, and so does the factory's.
 */
export function prune(store: Store): void {
  const { places } = store;
  const kept = linkedVersions(store);
  const update = store.update();
  if (update) for (const link of [update.to, basename(update.back)]) kept.add(link);
  for (const name of names(places.releases)) if (!kept.has(name)) remove(places.releases, name);
  const factory = store.factory()?.version;
  for (const name of names(places.cache))
    if (semver.valid(name) && !kept.has(name) && name !== factory) remove(places.cache, name);
  if (!isArriving(places)) pruneUploads(store);
  for (const name of newest(places.bad).slice(KEPT_BAD)) remove(places.bad, name);
}

function pruneUploads({ places }: Store): void {
  const [upload = ''] = newest(places.incoming).filter((name) => !name.endsWith('.json'));
  for (const name of names(places.incoming))
    if (name !== upload && name !== tagOf(upload)) remove(places.incoming, name);
}

/** The same where the store runs full: the release before the good one goes too, and a broken upload. */
export function makeRoom(store: Store): void {
  if (!store.update()) store.forget('previous');
  for (const name of names(store.places.incoming))
    if (name.endsWith('.part')) remove(store.places.incoming, name);
  prune(store);
}

/** Where an upload has no room: removes all that is there of other files. */
export function clearOtherUploads({ places }: Store, sha256: string): void {
  for (const name of names(places.incoming)) if (!name.startsWith(sha256)) remove(places.incoming, name);
}

function linkedVersions(store: Store): Set<string> {
  return new Set(
    LINKS.map((name) => store.target(name))
      .filter((link) => link !== undefined)
      .map((link) => basename(link)),
  );
}

function newest(folder: string): readonly string[] {
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return names(folder).toSorted((left, right) => age(right) - age(left));
}

function names(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function remove(folder: string, name: string): void {
  rmSync(join(folder, name), { recursive: true, force: true });
}
