/** Clock: the only source of time. Everything that waits takes one, so that tests can turn the hands. */
export interface Clock {
  /** Monotonic milliseconds: for durations and deadlines, never for dates. */
  now(): number;
  /** Milliseconds since 1970, as the machine believes them: for what people read and for token expiry. */
  wall(): number;
  /** Calls `wake` once after `ms`. Disposing cancels it; disposing again does nothing. */
  timer(ms: number, wake: () => void): Disposable;
  /** Resolves after `ms`, or as soon as `signal` aborts: it never rejects, so check the signal after it. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  timer(ms, wake) {
    const handle = setTimeout(wake, ms);
    return { [Symbol.dispose]: () => clearTimeout(handle) };
  },
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
};

/** A wall time in ms as ISO 8601 in UTC: `2026-11-30T00:30:00.000Z`. */
export function isoOf(wall: number): string {
  return new Date(wall).toISOString();
}

/** The wall time in ms of an ISO 8601 text; NaN where it is none. */
export function wallOf(iso: string): number {
  return Date.parse(iso);
}

/** The one implementation of `sleep`, for every Clock that has a `timer`. */
export function sleepOn(clock: Pick<Clock, 'timer'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      timer[Symbol.dispose]();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.timer(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/**
 * Waits for `work`, but `ms` at most: `undefined` means that the deadline came first. The work itself goes on. Each
 * wait leaves a reaction on `work` until that settles: not for a promise that outlives many waits.
 */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: Disposable | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = clock.timer(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer?.[Symbol.dispose]();
  }
}
