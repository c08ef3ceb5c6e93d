import { wallOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import type { Failure } from './proof/gate.ts';
import { lapse } from './proof/standing.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { takeLock } from './store/lock.ts';
import { type Update, WATCH_MS } from './store/record.ts';
import { proveBack, undo } from './undo.ts';

const LOOK_MS = 5000;
/** A release that dies so often in its first minutes is undone. */
const MOST_RESTARTS = 3;
/** So long in one piece it may be failed or without an answer. */
const SILENT_MS = 60_000;
/** So long in one piece a part may be unready: a server that died is started again within this. */
const AILING_MS = 120_000;
const LOCK_TRIES = 12;

/**
 * Watches over a release in its first ten minutes, or over what is left of them after a power cut, and undoes it where it
 * crashes, falls silent, or does not keep ready what was ready at its gate. Ends as soon as another update takes its place.
 * After an undo that was cut short it sees what is back answer.
 */
export async function watch(context: Context): Promise<Verdict> {
  const { store, report } = context;
  const update = store.update();
  if (update?.phase === 'returning') return await seeBack(context, update);
  if (update?.phase !== 'watching') return { ...NO_VERDICT, verdict: 'same' };
  report.step('watching', update.to);
  const failure = await watchOver(context, update);
  if (!failure) return { ...NO_VERDICT, verdict: 'good', version: update.to };
  using _lock = await patientLock(context);
  if (!isStill(context, update)) return { ...NO_VERDICT, verdict: 'good', version: update.to };
  const back = await undo(context, update, failure);
  if (store.at(`releases/${update.to}`) && back.version !== update.to) store.remove(update.to);
  const reason = `${failure.check}: ${failure.reason}`;
  return {
    ...NO_VERDICT,
    verdict: 'undone',
    version: update.to,
    from: back.version,
    code: 'UPDATE_UNDONE',
    reason,
  };
}

/** An undo that was cut short had put the links back: what they lead to has still to answer. */
async function seeBack(context: Context, update: Update): Promise<Verdict> {
  const { store, report } = context;
  using _lock = await patientLock(context);
  const back = store.read('current');
  if (!back || !isStill(context, update)) return { ...NO_VERDICT, verdict: 'same' };
  report.step('returning', back.version);
  const { version } = await proveBack(context, back);
  return { ...NO_VERDICT, verdict: 'good', version };
}

async function patientLock({ store, clock }: Context): Promise<Disposable> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeLock(store.places, 'undo', clock);
    } catch (error) {
      if (attempt >= LOCK_TRIES) throw error;
      await clock.sleep(LOOK_MS);
    }
  }
}

/** Resolves with what the release failed at; `undefined` when it has stood its time, or is no longer what is watched. */
async function watchOver(context: Context, update: Update): Promise<Failure | undefined> {
  const { store, unit, appliance, clock, asked } = context;
  const deadline = clock.now() + restOf(update, clock.wall());
  let first = Number.POSITIVE_INFINITY;
  const folder = store.read('current')?.folder ?? store.places.factory;
  let lastHeard = clock.now();
  let lastWell = clock.now();
  while (!asked.aborted && isStill(context, update)) {
    if (clock.now() >= deadline) {
      store.setUpdate(undefined);
      return undefined;
    }
    const { restarts, state } = await unit.look();
    // A start by hand begins to count anew; a look that had no answer counts nothing.
    if (state !== '') first = Math.min(first, restarts);
    // The unit never gives up by itself: somebody has stopped it, and nothing is asked of it until it is started again.
    if (state === 'inactive') {
      lastHeard = clock.now();
      lastWell = clock.now();
      await clock.sleep(LOOK_MS, asked);
      continue;
    }
    const deaths = restarts - first;
    if (deaths >= MOST_RESTARTS) return { check: 'crashes', reason: `it ended ${deaths} times` };
    const status = state === 'failed' ? undefined : await appliance.glance(folder);
    if (status?.version === update.to) lastHeard = clock.now();
    const silent = clock.now() - lastHeard;
    if (silent >= SILENT_MS) {
      const what = state === 'failed' ? 'the unit failed' : 'it gave no answer';
      return { check: 'failed', reason: `${what} for ${Math.round(silent / 1000)} s` };
    }
    const amiss = status && lapse(store, update, status);
    if (status && amiss === undefined) lastWell = clock.now();
    const ailing = clock.now() - lastWell;
    if (amiss !== undefined && ailing >= AILING_MS)
      return { check: 'ready', reason: `${amiss} after ${Math.round(ailing / 1000)} s` };
    await clock.sleep(LOOK_MS, asked);
  }
  return undefined;
}

/** The clock of a board without a battery may be wrong in either direction after a power cut. */
function restOf({ until }: Update, wall: number): number {
  const rest = wallOf(until ?? '') - wall;
  return rest > 0 && rest < WATCH_MS ? rest : WATCH_MS;
}

function isStill({ store }: Context, { phase, to, at }: Update): boolean {
  const now = store.update();
  return now?.phase === phase && now.to === to && now.at === at;
}
