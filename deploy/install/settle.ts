import { isoOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import { clearLeavings, prune } from './store/prune.ts';
import { WATCH_MS } from './store/record.ts';
import { isUndoing, putBack } from './undo.ts';

/**
 * Puts right what an installer left that was killed: whoever holds the lock knows that none is at work. What was being
 * proved is not proved, so the last good release is back, and nothing is said against the other one. Links that agree with
 * no record are led back to what was proved. Returns true where the running appliance may be another than `current`.
 */
export async function settleLinks(context: Context): Promise<boolean> {
  const { store } = context;
  clearLeavings(store);
  confirmProved(context);
  const update = store.update();
  const factory = store.factory();
  if (update && isUndoing(store, update)) {
    await putBack(context, update, { check: 'failed', reason: '' });
    return true;
  }
  const good = store.read('good');
  if (update?.phase === 'proving') {
    const back = store.at(update.back) ?? good ?? factory;
    if (back) {
      store.point('current', back);
      store.point('good', back);
    }
    store.setUpdate(undefined);
    return true;
  }
  const current = store.read('current');
  const right = good ?? current ?? store.read('previous') ?? factory;
  if (!right) return false;
  if (good?.link !== right.link) store.point('good', right);
  if (current?.link === right.link) return false;
  store.point('current', right);
  return true;
}

/**
 * A switch that leaves the store in order whatever comes of it: should it throw (the store ran full, say), what had begun
 * is put back. Then goes what nobody needs any more.
 */
export async function inOrder<T>(context: Context, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    await settle(context);
    throw error;
  } finally {
    prune(context.store);
  }
}

/** What had passed its gate when the installer ended is good, though the record did not get to say so: it is watched. */
export function confirmProved({ store, clock }: Context): void {
  const update = store.update();
  if (update?.phase !== 'proving' || isUndoing(store, update)) return;
  const good = store.read('good');
  const isProved =
    good?.version === update.to && good.link === store.target('current') && good.link !== update.back;
  if (isProved) store.setUpdate({ ...update, phase: 'watching', until: isoOf(clock.wall() + WATCH_MS) });
}

/**
 * The same beside a running appliance: where that is not what `current` says by now, it is restarted. A store in which no
 * release was ever chosen, on a system that has not been started since it was installed, is nothing to tell of.
 */
export async function settle(context: Context): Promise<void> {
  const { store, appliance, unit, report } = context;
  const isNew =
    !store.update() && store.target('current') === undefined && store.target('good') === undefined;
  if (!(await settleLinks(context))) return;
  if (!isNew) report.step('settling');
  const current = store.read('current');
  if (!current) return;
  const status = await appliance.status(current.folder);
  if (status?.version !== current.version) await unit.restart();
}
