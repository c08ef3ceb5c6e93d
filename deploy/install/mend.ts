import { isoOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import { type Unfitness, unfitness } from './fitness.ts';
import { leadBack } from './lead-back.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { settle } from './settle.ts';
import { takeLock } from './store/lock.ts';
import type { Placed } from './store/store.ts';

/**
 * Asked for where the appliance keeps dying, or could not be run from the release in place: puts right what a killed
 * installer left, sees that the release in place is what serves, and takes one whose files have rotted out of its place.
 * Files that are whole and can be run are proof of the contrary, however often the unit dies: then nothing is changed.
 */
export async function mend(context: Context): Promise<Verdict> {
  const { store, unit, clock, report } = context;
  store.prepare();
  using _lock = await takeLock(store.places, 'mend', clock);
  await settle(context);
  const found = store.read('current');
  const same = { ...NO_VERDICT, verdict: 'same', version: found?.version ?? null } as const;
  // Before its bytes are read, which takes longer than a watch is patient. Where it dies then, this is asked for again.
  if (found && (await leadBack(context, found))) return same;
  const taken = await replaceDamaged(context);
  if (!taken) return same;
  report.step('undoing', taken.reason);
  await unit.restart();
  return {
    ...NO_VERDICT,
    verdict: 'undone',
    version: taken.version,
    from: store.read('current')?.version ?? null,
    code: 'UPDATE_UNDONE',
    reason: `damaged: ${taken.reason}`,
  };
}

/**
 * Where the release in place is damaged: good, previous or the factory's takes its place, whichever is whole first. Every
 * step can be cut short: each one alone leaves links from which the next look comes here again, or a whole release in
 * place. Restarts nothing.
 */
export async function replaceDamaged(
  context: Context,
): Promise<{ readonly version: string; readonly reason: string } | undefined> {
  const { store } = context;
  const current = store.read('current');
  const found = current && (await unfitness(context, current));
  if (!current || !found) return undefined;
  const back = await wholeOther(context, current);
  if (!back) return undefined;
  await putInstead(context, current, back, found);
  return { version: current.version, reason: found.reason };
}

/** The factory's is the last resort, and needs no proof: this very program is run from it, or its Node has just been run. */
async function wholeOther(context: Context, current: Placed): Promise<Placed | undefined> {
  const { store } = context;
  const seen = new Set([current.link]);
  for (const placed of [store.read('good'), store.read('previous')]) {
    if (!placed || placed.from === 'factory' || seen.has(placed.link)) continue;
    seen.add(placed.link);
    if ((await unfitness(context, placed)) === undefined) return placed;
  }
  return current.from === 'factory' ? undefined : store.factory();
}

/** The notice comes first and the damaged files go last, so that a cut in between loses neither the why nor a release. */
async function putInstead(
  { store, unit, clock }: Context,
  unfit: Placed,
  back: Placed,
  { reason, isDamaged }: Unfitness,
): Promise<void> {
  const { version, link, from } = unfit;
  try {
    store.setUndone({
      version,
      back: back.version,
      check: 'damaged',
      reason,
      at: isoOf(clock.wall()),
      of: store.update()?.at ?? '',
      log: await unit.log(),
      acknowledged: false,
    });
  } catch {
    // A full card must not keep a release in place that does not work.
  }
  // Nothing is held against the build itself: its file may be installed again as it is.
  store.setUpdate(undefined);
  store.point('good', back);
  store.point('current', back);
  if ([link, back.link].includes(store.target('previous') ?? '')) store.forget('previous');
  if (from === 'release' && isDamaged) store.remove(version);
}
