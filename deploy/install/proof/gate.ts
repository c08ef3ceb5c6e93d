import type { Clock } from '#kernel/clock.ts';
import type { Check } from '../store/record.ts';
import type { Placed } from '../store/store.ts';
import type { ApplianceLine } from './appliance-line.ts';
import type { Baseline } from './baseline.ts';
import { passCall } from './call.ts';
import { ailment, type Status } from './health.ts';
import { loss } from './loss.ts';
import { Pace } from './pace.ts';
import type { Unit } from './unit.ts';

export interface Failure {
  readonly check: Check;
  /** A short English phrase. */
  readonly reason: string;
}

export interface GateOptions extends Baseline {
  readonly unit: Pick<Unit, 'look'>;
  readonly appliance: ApplianceLine;
  readonly clock: Clock;
  /** All checks together, in ms. */
  readonly deadlineMs: number;
  /** Gets what does not work by a fault from outside, though it did before, where the release passes all the same. */
  readonly note?: (what: string) => void;
}

/** Between two looks, at least. */
const LOOK_MS = 500;
/** A release that dies so often in the gate will not get well in the rest of its time. */
const MOST_RESTARTS = 3;
/** So long a cloud that was there before is waited for; most lines are back in a few seconds. */
const OUTSIDE_MS = 30_000;

/**
 * The health gate: the appliance says that it is this version and well, nothing that was ready before is lost, and one
 * real call goes through the router and back. Resolves with why not, or `undefined` where the release is good.
 */
export async function passGate(release: Placed, options: GateOptions): Promise<Failure | undefined> {
  const { unit, appliance, clock, before, deadlineMs, note } = options;
  const deadline = clock.now() + deadlineMs;
  const { restarts: first } = await unit.look();
  let failure: Failure = { check: 'start', reason: 'no answer' };
  let patience = Number.POSITIVE_INFINITY;
  const pace = new Pace(clock, LOOK_MS);
  for (;;) {
    const isOver = clock.now() >= deadline;
    const isPassed = (view: View) =>
      !view.failure && (view.outside === undefined || isOver || clock.now() >= patience);
    let view = judge(await appliance.glance(release.folder), release, before);
    // The command line of the release has the last word, but only that: each run of it takes a second or two of a small
    // board, and that while the servers start, so that the proof would keep the release from what it is to prove.
    if (isPassed(view)) view = judge(await appliance.status(release.folder), release, before);
    if (isPassed(view)) {
      if (view.outside !== undefined) note?.(view.outside);
      const reason = await passCall(release.folder, options);
      return reason === undefined ? undefined : { check: 'call', reason };
    }
    if (view.outside !== undefined) patience = Math.min(patience, clock.now() + OUTSIDE_MS);
    if (view.failure !== 'silent') failure = view.failure ?? { check: 'ready', reason: view.outside ?? '' };
    const { restarts, state } = await unit.look();
    if (state === 'failed') return { ...failure, reason: `${failure.reason}; the unit failed` };
    const deaths = restarts - first;
    if (deaths >= MOST_RESTARTS) return { ...failure, reason: `${failure.reason}; it ended ${deaths} times` };
    if (isOver) return { ...failure, reason: `${failure.reason} after ${Math.round(deadlineMs / 1000)} s` };
    await pace.pause();
  }
}

/** What one look says. */
interface View {
  readonly failure?: Failure | 'silent';
  /** What worked before and does not now, through no fault of the release. */
  readonly outside?: string;
}

function judge(status: Status | undefined, { version }: Placed, before: Status | undefined): View {
  if (!status) return { failure: 'silent' };
  if (status.version !== version)
    return { failure: { check: 'start', reason: `version ${status.version} answers` } };
  const lost = loss(status, before);
  const reason = ailment(status, version, before) ?? (lost?.isItsFault ? lost.reason : undefined);
  if (reason !== undefined) return { failure: { check: 'ready', reason } };
  return lost ? { outside: lost.reason } : {};
}
