import { isoOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import type { Failure } from './proof/gate.ts';
import { ailment, type Status } from './proof/health.ts';
import { Pace } from './proof/pace.ts';
import { isFull } from './store/durable.ts';
import type { Update } from './store/record.ts';
import type { Placed } from './store/store.ts';

/** So long a release that comes back has to become ready before the factory's is tried. */
const BACK_MS = 120_000;
const LOOK_MS = 500;
/** What is back is gone where so many looks in a row had no answer, and that for so long: a busy board misses one or two. */
const MISSED_LOOKS = 3;
const SILENT_MS = 30_000;

/**
 * Puts the links back to before an update, and keeps why. Every step can be cut short: finding the update's record again
 * leads here again. It is kept until what is back has answered, for that may have gone bad in the meantime. Restarts
 * nothing. Returns what is back.
 */
export async function putBack(
  { store, unit, clock }: Context,
  update: Update,
  failure: Failure,
): Promise<Placed> {
  const failed = store.release(update.to);
  const before = [store.at(update.back), store.read('good'), store.read('previous')];
  const back =
    before.find((placed) => placed && placed.link !== failed?.link && !store.isBad(placed.manifest)) ??
    mustHaveFactory(store);
  const at = isoOf(clock.wall());
  if (!isUndoing(store, update)) {
    const { check, reason } = failure;
    const log = await unit.log();
    // A power cut says nothing against a release: it may be tried again as it is.
    if (failed && check !== 'reboot') attempt(() => store.setBad(failed, reason, at));
    const notice = { version: update.to, back: back.version, check, reason, at, of: update.at, log };
    attempt(() => store.setUndone({ ...notice, acknowledged: false }));
  }
  store.point('current', back);
  store.point('good', back);
  if (store.target('previous') === back.link) store.forget('previous');
  setReturning(store, update, back);
  return back;
}

/** A full or damaged card must not keep a release in place that does not work, nor one record keep another from it. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // What cannot be kept is lost.
  }
}

/** Behind the factory's release there is nothing to go on to. */
function setReturning(store: Context['store'], update: Update, { from, link }: Placed): void {
  try {
    store.setUpdate(
      from === 'factory' ? undefined : { ...update, phase: 'returning', back: link, until: null },
    );
  } catch (error) {
    if (!isFull(error)) throw error;
    store.setUpdate(undefined);
  }
}

/** True where an undo of this update had begun, and why is already kept. */
export function isUndoing(store: Context['store'], update: Update): boolean {
  const known = store.undone();
  return known?.version === update.to && known.of === update.at;
}

/** Puts the links back, restarts the unit and sees what is back answer. Returns what is in place then. */
export async function undo(
  context: Context,
  update: Update,
  failure: Failure,
  before?: Status,
): Promise<Placed> {
  const { unit, report } = context;
  report.step('undoing', failure.reason);
  const back = await putBack(context, update, failure);
  await unit.restart();
  return await proveBack(context, back, before);
}

/** Waits for what is back; where that does not answer, the factory's release takes its place. The update is over then. */
export async function proveBack(context: Context, back: Placed, before?: Status): Promise<Placed> {
  const { store, unit } = context;
  const factory = back.from === 'factory' ? undefined : store.factory();
  if ((await isBack(context, back, before)) || !factory) {
    store.setUpdate(undefined);
    return back;
  }
  store.point('current', factory);
  store.point('good', factory);
  tellBack(store, factory);
  store.setUpdate(undefined);
  await unit.restart();
  await isBack(context, factory, before);
  return factory;
}

/** What people are told of the undo names what is really back. */
function tellBack(store: Context['store'], { version }: Placed): void {
  const told = store.undone();
  try {
    if (told) store.setUndone({ ...told, back: version });
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/**
 * Waits until a release is well; true also where it ails to the end, but has not fallen silent by then, and where somebody
 * has stopped the unit, which never gives up by itself.
 */
async function isBack({ appliance, unit, clock }: Context, back: Placed, before?: Status): Promise<boolean> {
  const deadline = clock.now() + BACK_MS;
  const pace = new Pace(clock, LOOK_MS);
  let missed = Number.POSITIVE_INFINITY;
  let answeredAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const status = await appliance.glance(back.folder);
    if (status && ailment(status, back.version, before) === undefined) return true;
    const isHeard = status?.version === back.version;
    missed = isHeard ? 0 : missed + 1;
    if (isHeard) answeredAt = clock.now();
    // Before the pause, which is long after a look that had no answer, and says nothing about what is back.
    if (clock.now() >= deadline) {
      const isHeardOf = missed < MISSED_LOOKS || clock.now() - answeredAt <= SILENT_MS;
      return isHeardOf || (await unit.look()).state === 'inactive';
    }
    await pace.pause();
  }
}

function mustHaveFactory(store: Context['store']): Placed {
  const { factory } = store.places;
  // Without any whole release left, the factory's folder is still the best there is to point at.
  return (
    store.factory() ?? { version: 'factory', from: 'factory', folder: factory, link: factory, manifest: NONE }
  );
}

const NONE = {
  version: 'factory',
  arch: '',
  commit: '',
  builtAt: '',
  minimumOs: { level: 0, glibc: '0' },
  files: [],
  sha256: '',
};
