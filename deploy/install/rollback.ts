import { Fault } from '#kernel/fault.ts';
import type { Context } from './context.ts';
import { lookBefore } from './proof/baseline.ts';
import type { Verdict } from './report.ts';
import { inOrder, settle } from './settle.ts';
import { takeLock } from './store/lock.ts';
import { switchTo } from './switch.ts';

/**
 * Goes back to the release that was good before the one that runs, else to the factory's, by the same gate as an update.
 * Throws ROLLBACK_NOTHING.
 */
export async function rollback(context: Context, deadlineMs: number): Promise<Verdict> {
  const { store, clock, appliance } = context;
  store.prepare();
  using _lock = await takeLock(store.places, 'rollback', clock);
  await settle(context);
  const current = store.read('current');
  const to = [store.read('previous'), store.factory()].find(
    (placed) => placed && placed.link !== current?.link && !store.isBad(placed.manifest),
  );
  if (!to) throw new Fault('ROLLBACK_NOTHING', current ? `${current.version} runs` : '');
  const baseline = await lookBefore(appliance, current);
  return await inOrder(context, async () => {
    const verdict = await switchTo(context, to, { ...baseline, deadlineMs });
    // Where one has gone back there is nothing before it any more: going back twice leads to the factory's.
    if (verdict.verdict === 'good') store.forget('previous');
    return verdict;
  });
}
