import type { Update } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { ailment, type Status } from './health.ts';
import { settingsMark } from './settings-mark.ts';

/** How a release stands after its gate, as the record of its update keeps it: nothing where it gave no answer. */
export function standing({ places }: Store, status: Status | undefined): Pick<Update, 'ready' | 'settings'> {
  if (!status) return {};
  const ready = status.parts.filter(({ state }) => state === 'ready').map(({ name }) => name);
  return { ready, settings: settingsMark(places) };
}

/**
 * What of that is no more, in a short English phrase, for a reason that is not outside of the release. A part that is gone
 * was taken away by its owner; and where the settings were changed since, nothing is held against the release, since it
 * cannot be told from a mistake in them.
 */
export function lapse(
  { places }: Store,
  { to, ready, settings: then }: Update,
  status: Status,
): string | undefined {
  if (!ready || then !== settingsMark(places)) return undefined;
  return ailment({ ...status, parts: status.parts.filter(({ name }) => ready.includes(name)) }, to);
}
