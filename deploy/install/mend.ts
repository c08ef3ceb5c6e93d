import { isoOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import { runProgram } from './program.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { settle } from './settle.ts';
import { damageOf } from './store/intact.ts';
import { takeLock } from './store/lock.ts';
import { serviceUser } from './store/service-user.ts';
import type { Placed } from './store/store.ts';

const VERSION_MS = 30_000;
/** One that fails for want of memory, say, works a moment later. */
const VERSION_TRIES = 3;
const VERSION_PAUSE_MS = 2000;

/**
 * Asked for where the appliance keeps dying, or could not be run from the release in place: puts right what a killed
 * installer left, and takes a release whose files have rotted out of its place. Files that are whole and can be run are
 * proof of the contrary, however often the unit dies: then nothing is changed.
 */
export async function mend(context: Context): Promise<Verdict> {
  const { store, unit, clock, report } = context;
  store.prepare();
  using _lock = await takeLock(store.places, 'mend', clock);
  await settle(context);
  const taken = await replaceDamaged(context);
  const current = store.read('current');
  if (!taken) return { ...NO_VERDICT, verdict: 'same', version: current?.version ?? null };
  report.step('undoing', taken.reason);
  await unit.restart();
  return {
    ...NO_VERDICT,
    verdict: 'undone',
    version: taken.version,
    from: current?.version ?? null,
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
  const reason = current && (await unfitness(context, current));
  if (!current || reason === undefined) return undefined;
  const back = await wholeOther(context, current);
  if (!back) return undefined;
  await putInstead(context, current, back, reason);
  return { version: current.version, reason };
}

/** Why a release cannot serve: a damaged file, or a Node that this system does not run. */
async function unfitness(context: Context, placed: Placed): Promise<string | undefined> {
  const damage = await damageOf(placed);
  return damage ?? ((await canRun(context, placed)) ? undefined : 'bin/node does not run on this system');
}

/** As the user of the service: what root may read and run tells nothing. */
async function canRun({ store, clock, isRoot }: Context, { folder }: Placed): Promise<boolean> {
  const user = isRoot ? serviceUser(store.places.passwd) : undefined;
  const program = [`${folder}/bin/node`, '--version'];
  const drop = user && ['/usr/bin/setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const [file = '', ...args] = [...(drop ?? []), ...program];
  for (let attempt = 1; ; attempt++) {
    const env = { PATH: '/usr/bin:/bin' };
    const { code, stdout } = await runProgram({ file, args, env, ms: VERSION_MS, clock });
    // A file that is no program is run as a script.
    if (code === 0 && /^v\d/.test(stdout)) return true;
    if (attempt === VERSION_TRIES) return false;
    await clock.sleep(VERSION_PAUSE_MS);
  }
}

/** The factory's is the last resort, and needs no proof: this very program is run from it. */
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
  damaged: Placed,
  back: Placed,
  reason: string,
): Promise<void> {
  const { version, link, from } = damaged;
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
  if (from === 'release') store.remove(version);
}
