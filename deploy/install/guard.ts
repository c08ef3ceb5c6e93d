import type { Context } from './context.ts';
import { replaceDamaged } from './mend.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { confirmProved, settleLinks } from './settle.ts';
import { takeLock } from './store/lock.ts';
import { putBack } from './undo.ts';

/**
 * At a boot, before the appliance starts: clears leavings, undoes an update that was not proved, goes on watching one that
 * was, and sees that `current` leads to a whole release, the factory's in the end. Every byte of it is read only where the
 * appliance did not become ready in the boot before, so that an ordinary boot does not wait for that. Restarts nothing.
 */
export async function guard(context: Context): Promise<Verdict> {
  const { store, unit, clock, report } = context;
  store.prepare();
  using _lock = await takeLock(store.places, 'guard', clock);
  confirmProved(context);
  const update = store.update();
  if (update?.phase === 'proving') {
    await putBack(context, update, { check: 'reboot', reason: 'the power was cut before it was proved' });
    report.step('undoing', update.to);
  }
  await settleLinks(context);
  if (store.isStarting()) {
    const damaged = await replaceDamaged(context);
    if (damaged) report.step('undoing', `${damaged.version}: ${damaged.reason}`);
  }
  store.setStarting();
  const current = store.read('current');
  if (store.update()?.phase === 'watching' && !(await unit.startWatch())) report.step('unwatched');
  report.step('running', current ? `${current.version} (${current.link})` : store.places.factory);
  return { ...NO_VERDICT, verdict: 'good', version: current?.version ?? null };
}
