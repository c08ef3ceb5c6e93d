import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readObject } from '#kernel/json-file.ts';
import type { Context } from './context.ts';
import { replaceDamaged } from './mend.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { confirmProved, settleLinks } from './settle.ts';
import { isFull } from './store/durable.ts';
import { bootId, takeLock } from './store/lock.ts';
import type { Update } from './store/record.ts';
import { putBack } from './undo.ts';

/**
 * A release that resets the board is never seen to crash: each boot begins its watch anew. Somebody who pulls the plug may
 * do so twice.
 */
const MOST_BOOTS = 3;

/**
 * At a boot, before the appliance starts: clears leavings, undoes an update that was not proved, goes on watching one that
 * was, and sees that `current` leads to a whole release, the factory's in the end. Every byte of it is read only where the
 * appliance did not become ready in the boot before, so that an ordinary boot does not wait for that. Restarts nothing.
 */
export async function guard(context: Context): Promise<Verdict> {
  const { store, unit, clock, report } = context;
  store.prepare();
  const atWork = bootsCutAtWork(store);
  using _lock = await takeLock(store.places, 'guard', clock);
  confirmProved(context);
  const update = store.update();
  const cut = update && cutShort(context, update, atWork);
  if (update && cut) {
    await putBack(context, update, { check: 'reboot', reason: cut });
    report.step('undoing', cut);
  }
  await settleLinks(context);
  if (store.isStarting()) {
    const damaged = await replaceDamaged(context);
    if (damaged) report.step('undoing', damaged.reason);
  }
  store.setStarting();
  const current = store.read('current');
  if (store.update() && !(await unit.startWatch())) report.step('unwatched');
  report.step('running', current ? `${current.version} (${current.link})` : store.places.factory);
  return { ...NO_VERDICT, verdict: 'good', version: current?.version ?? null };
}

/** Why an update is not to be gone on with after this boot; a boot in the first minutes of a release is counted. */
function cutShort({ store }: Context, update: Update, atWork: ReadonlySet<unknown>): string | undefined {
  if (update.phase === 'proving') return 'the power was cut before it was proved';
  if (update.phase === 'returning') return undefined; // it is undone already
  const id = bootId();
  if (update.bootId === id) return undefined;
  const boots = (update.boots ?? 0) + (atWork.has(update.bootId) ? 0 : 1);
  if (boots >= MOST_BOOTS) return `the board was started ${boots} times in its first minutes`;
  try {
    store.setUpdate({ ...update, bootId: id, boots });
  } catch (error) {
    if (!isFull(error)) throw error; // what is watched goes on all the same
  }
  return undefined;
}

/**
 * The boots that ended while somebody was putting another release in place, by the notes that lie beside locks: whoever is
 * at work at an appliance may well pull its plug, and that says nothing against the release that it has.
 */
function bootsCutAtWork({ places }: Context['store']): ReadonlySet<unknown> {
  const notes = readdirSync(places.store).filter((name) => name.startsWith('lock'));
  return new Set(
    notes
      .map((name) => readObject(join(places.store, name)))
      .filter((note) => note && note.what !== 'guard' && note.what !== 'mend')
      .map((note) => note?.bootId),
  );
}
