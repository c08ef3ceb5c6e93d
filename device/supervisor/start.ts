import { type Clock, within } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Run, Service } from '#kernel/service.ts';
import type { StartDeadline } from './start-deadline.ts';
import { wordsOf } from './wording.ts';

/** What a stop may take in ms where the service says nothing: end of input, SIGTERM and SIGKILL have a second each. */
const STOP_MS = 3000;

/** Waits until what is to go is gone; `undefined` where it was left behind. */
type Clear = <T extends object>(going: Promise<T>) => Promise<T | undefined>;

interface StartGiven {
  readonly clock: Clock;
  readonly log: Log;
  readonly deadline: StartDeadline;
  readonly unwanted: AbortSignal;
  readonly clear: Clear;
}

/**
 * One try to start a service: its run, or the Fault that says why there is none. Never rejects. A start that is no
 * longer wanted (`unwanted`) or late is aborted, and what it brings up all the same is disposed; `clear` waits for that.
 */
export async function startRun(
  service: Service,
  { clock, log, deadline, unwanted, clear }: StartGiven,
): Promise<Run | Fault> {
  const attempt = new AbortController();
  const starting = begin(service, attempt.signal);
  const over = new AbortController();
  const deadlineMs = deadline.ms;
  const giveUp = () => over.abort();
  unwanted.addEventListener('abort', giveUp, { once: true });
  if (unwanted.aborted) giveUp();
  const first = await Promise.race([starting, clock.sleep(deadlineMs, over.signal)]);
  unwanted.removeEventListener('abort', giveUp);
  over.abort();
  if (first) return first;

  if (!unwanted.aborted) deadline.missed();
  attempt.abort();
  const rest = await clear(
    starting.then(async (late) => {
      if (!(late instanceof Fault)) await disposeRun(late, log);
      return late;
    }),
  );
  // What the start itself says of its end is better than the clock's word, unless it only repeats our abort.
  if (rest instanceof Fault && rest.code !== 'STOPPED' && rest.code !== 'INTERNAL') return rest;
  return new Fault(wordsOf(service).late, `not ready after ${deadlineMs} ms`);
}

/** Stops a run, however long that takes. Never rejects: a run that stops badly must not end its supervisor. */
export async function disposeRun(run: Run, log: Log): Promise<Run> {
  try {
    await run[Symbol.asyncDispose]();
  } catch (error) {
    log.warn('stop_failed', { error });
  }
  return run;
}

/**
 * Waits for what is to go. Past the service's `stopMs` it says so, once, and waits on: nothing may start beside it.
 * Only a part that is to end for good (`leave`) then leaves it behind.
 */
export async function untilGone<T extends object>(
  going: Promise<T>,
  { service, clock, log, leave }: { service: Service; clock: Clock; log: Log; leave: AbortSignal },
): Promise<T | undefined> {
  const { stopMs = STOP_MS } = service;
  const gone = await within(clock, stopMs, going);
  if (gone) return gone;
  log.warn('stop_late', { stopMs });
  return unless(leave, going);
}

/** `work`, or `undefined` as soon as the signal aborts. */
export async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const over = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    over.abort();
  }
}

async function begin(service: Service, signal: AbortSignal): Promise<Run | Fault> {
  try {
    return await service.start(signal);
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', messageOf(error), { cause: error });
  }
}
