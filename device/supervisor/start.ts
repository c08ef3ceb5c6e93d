import { type Clock, within } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Run, Service } from '#kernel/service.ts';

/** What a stop may take, in ms: end of input, SIGTERM and SIGKILL have a second each. */
const STOP_MS = 3000;

/**
 * One try to start a service: its run, or the Fault that says why there is none. Never rejects and never outlasts
 * `startMs` by more than STOP_MS. A start that is no longer wanted (`unwanted`) or late is aborted, and what it
 * brings up all the same is disposed.
 */
export async function startRun(
  service: Service,
  clock: Clock,
  log: Log,
  unwanted: AbortSignal,
): Promise<Run | Fault> {
  const attempt = new AbortController();
  const starting = begin(service, attempt.signal);
  const over = new AbortController();
  const giveUp = () => over.abort();
  unwanted.addEventListener('abort', giveUp, { once: true });
  if (unwanted.aborted) giveUp();
  const first = await Promise.race([starting, clock.sleep(service.startMs, over.signal)]);
  unwanted.removeEventListener('abort', giveUp);
  over.abort();
  if (first) return first;

  attempt.abort();
  const cleared = starting.then(async (late) => {
    if (!(late instanceof Fault)) await disposeRun(late, clock, log);
    return late;
  });
  const rest = await within(clock, STOP_MS, cleared);
  if (rest === undefined) log.warn('start_hangs', { startMs: service.startMs });
  // What the start itself says of its end is better than the clock's word, unless it only repeats our abort.
  if (rest instanceof Fault && rest.code !== 'STOPPED' && rest.code !== 'INTERNAL') return rest;
  return new Fault('SERVER_TIMEOUT', `not ready after ${service.startMs} ms`);
}

/** Stops a run, STOP_MS at most. Never rejects: a run that stops badly must not end its supervisor. */
export async function disposeRun(run: Run, clock: Clock, log: Log): Promise<void> {
  const disposal = async () => {
    try {
      await run[Symbol.asyncDispose]();
    } catch (error) {
      log.warn('stop_failed', { error });
    }
    return true;
  };
  if (!(await within(clock, STOP_MS, disposal()))) log.warn('stop_late', { stopMs: STOP_MS });
}

async function begin(service: Service, signal: AbortSignal): Promise<Run | Fault> {
  try {
    return await service.start(signal);
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', messageOf(error), { cause: error });
  }
}
