import { rmSync } from 'node:fs';
import { isoOf } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Context } from './context.ts';
import { otherServing } from './lead-back.ts';
import { replaceDamaged } from './mend.ts';
import { checkAge, checkArchive, type Wishes } from './package/check.ts';
import { type Fetched, fetchRelease, tagOf } from './package/fetch.ts';
import { isUrl, openFetched, openStored, type Source } from './package/source.ts';
import { lookBefore } from './proof/baseline.ts';
import type { Failure } from './proof/gate.ts';
import { tryOut } from './proof/trial.ts';
import { acknowledge } from './releases.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { inOrder, settle } from './settle.ts';
import { damageOf } from './store/intact.ts';
import { takeLock } from './store/lock.ts';
import { clearLeavings } from './store/prune.ts';
import { stage } from './store/stage.ts';
import type { Placed } from './store/store.ts';
import { switchTo } from './switch.ts';

export interface ApplyOptions extends Wishes {
  /** What the gate has, in ms. */
  readonly deadlineMs: number;
}

/**
 * Installs a release: a file, an URL, or the hash of an upload. Checked as a whole before anything is touched; then put
 * beside the one that runs, tried out, switched to, proved, and undone where it does not work. Safe to repeat from any
 * point. Throws a Fault where nothing was changed, and where a damaged release could not be repaired, which another one
 * stands in for by then.
 */
export async function apply(context: Context, source: string, options: ApplyOptions): Promise<Verdict> {
  const { store, clock } = context;
  store.prepare();
  const what = `apply ${isUrl(source) ? 'URL' : source}`;
  using _arrival = await takeLock(store.places, what, clock, 'arrival');
  const fetched = isUrl(source) ? await fetchBeside(context, source, what) : undefined;
  using _lock = await takeLock(store.places, what, clock);
  await settle(context);
  const opened = fetched ? await openFetched(fetched) : await openStored(context, source);
  try {
    return await install(context, opened, options);
  } finally {
    await opened.file.close();
    clearLeavings(store); // also what a trial of a killed installer wrote before it was ended
  }
}

/** The store is put right first, and is then free for as long as the line takes: the running release may have to go back. */
async function fetchBeside(context: Context, url: string, what: string): Promise<Fetched> {
  {
    using _lock = await takeLock(context.store.places, what, context.clock);
    await settle(context);
  }
  return await fetchRelease(context, url);
}

/** `check`: all that can be known of a release file without touching anything. Throws USAGE for an URL. */
export async function check(context: Context, source: string): Promise<Verdict> {
  if (isUrl(source)) throw new Fault('USAGE', 'check: expected a file');
  const opened = await openStored(context, source);
  try {
    context.report.step('checking', opened.name);
    const { version } = await checkArchive(context, opened.file);
    context.report.step('checked', version);
    const from = context.store.read('current')?.version ?? null;
    return { ...NO_VERDICT, verdict: 'good', version, from };
  } finally {
    await opened.file.close();
  }
}

async function install(context: Context, source: Source, options: ApplyOptions): Promise<Verdict> {
  const { store, report } = context;
  report.step('checking', source.name);
  const manifest = await checkArchive(context, source.file);
  const found = store.read('current');
  const isRepair = found?.manifest.sha256 === manifest.sha256;
  if (isRepair) {
    const damage = await damageOf(found);
    if (damage === undefined) return await already(context, source, found);
    await giveWay(context, damage);
  } else checkAge(context, manifest, found, options);
  report.step('staging', manifest.version);
  const placed = await stage(context, source.file, manifest);
  const verdict = await inOrder(context, () => adopt(context, placed, store.read('current'), options));
  if (verdict.verdict !== 'good') return verdict;
  discard(source);
  if (isRepair) tellRepaired(context, manifest.version);
  return verdict;
}

/** Tries out what is in place by now, and switches to it. */
async function adopt(
  context: Context,
  placed: Placed,
  current: Placed | undefined,
  { deadlineMs }: ApplyOptions,
): Promise<Verdict> {
  const { store, appliance, report, asked } = context;
  const earlier = current && (await appliance.status(current.folder));
  report.step('trying', placed.version);
  const failure = await tryOut(context, placed, earlier);
  if (failure) return refuseStart(context, placed, failure, current?.version ?? null);
  if (asked.aborted) throw new Fault('UPDATE_FAILED', 'asked to stop');
  store.clearBad(placed.version);
  return await switchTo(context, placed, { ...(await lookBefore(appliance, current, earlier)), deadlineMs });
}

/**
 * Repeating an update that is done changes nothing; the watch over it goes on, should it have been killed. Where another
 * release serves instead, what is in place is started again. Throws UPDATE_FAILED where that does not help.
 */
async function already(context: Context, source: Source, current: Placed): Promise<Verdict> {
  const { store, unit, report } = context;
  const { version } = current;
  if (await otherServing(context, current)) {
    report.step('switching', version);
    await unit.restart();
    const other = await otherServing(context, current);
    if (other) throw new Fault('UPDATE_FAILED', `${version} is whole, but ${other} answers`);
  }
  if (store.update()?.phase === 'watching') await unit.startWatch();
  discard(source);
  return { ...NO_VERDICT, verdict: 'same', version, from: version };
}

/**
 * Files of the very release have rotted in place: another one serves until they are put there anew, for nothing may change
 * under what runs. Should that fail, it goes on serving.
 */
async function giveWay(context: Context, damage: string): Promise<void> {
  context.report.step('undoing', damage);
  if (await replaceDamaged(context)) await context.unit.restart();
}

/** That it gave way is over, and was told to who asked. */
function tellRepaired(context: Context, version: string): void {
  const told = context.store.undone();
  if (told?.check !== 'damaged' || told.version !== version) return;
  try {
    acknowledge(context);
  } catch {
    // The card is full, say: then it is told once more.
  }
}

/** What cannot even start by itself is told of like an undone update, though the running release was never touched. */
async function refuseStart(
  { store, clock, report }: Context,
  placed: Placed,
  { check, reason }: Failure,
  from: string | null,
): Promise<Verdict> {
  const { version } = placed;
  const at = isoOf(clock.wall());
  report.step('undoing', reason);
  store.setBad(placed, reason, at);
  store.setUndone({ version, back: from ?? '', check, reason, at, of: '', log: [], acknowledged: false });
  return {
    ...NO_VERDICT,
    verdict: 'undone',
    version,
    from,
    code: 'UPDATE_UNDONE',
    reason: `${check}: ${reason}`,
  };
}

function discard({ upload }: Source): void {
  if (!upload) return;
  rmSync(upload, { force: true });
  rmSync(tagOf(upload), { force: true });
}
