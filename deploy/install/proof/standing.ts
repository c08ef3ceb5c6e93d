import { statSync } from 'node:fs';
import type { Update } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { ailment, type Status } from './health.ts';

/** How a release stands after its gate, as the record of its update keeps it: nothing where it gave no answer. */
export function standing(store: Store, status: Status | undefined): Pick<Update, 'ready' | 'settingsAt'> {
  if (!status) return {};
  const ready = status.parts.filter(({ state }) => state === 'ready').map(({ name }) => name);
  return { ready, settingsAt: settingsAt(store) };
}

/**
 * What of that is no more, in a short English phrase, for a reason that is not outside of the release. A part that is gone
 * was taken away by its owner; and where the settings were changed since, nothing is held against the release, since it
 * cannot be told from a mistake in them.
 */
export function lapse(
  store: Store,
  { to, ready, settingsAt: then }: Update,
  status: Status,
): string | undefined {
  if (!ready || then !== settingsAt(store)) return undefined;
  return ailment({ ...status, parts: status.parts.filter(({ name }) => ready.includes(name)) }, to);
}

function settingsAt({ places }: Store): number {
  return statSync(places.settings, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
