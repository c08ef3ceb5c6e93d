import type { Clock } from '#kernel/clock.ts';

/**
 * How far the heap may grow over what was alive, in bytes, before it is collected. V8's own limit lies 8 MB and more above what
 * is alive, and pages that it has once filled with garbage it keeps: in an hour of turns the process grew by 9 MB, with 3 MB here
 * by 5.4, with this by 3.9 (DECISIONS 33).
 */
const SLACK = 1_000_000;
const LOOK_MS = 30_000;

/** The heap of a process: what it holds in bytes, garbage included, and how it is collected. */
export interface Heap {
  used(): number;
  collect(): void;
}

/**
 * Collects the heap now and whenever it has grown by SLACK since, until `signal` aborts. A collection stops everything for some
 * 10 ms here; what plays has 200 ms ahead of it, and an appliance at rest does not grow.
 */
export async function keepHeapSmall(heap: Heap, clock: Clock, signal: AbortSignal): Promise<void> {
  let alive = 0;
  while (!signal.aborted) {
    if (heap.used() > alive + SLACK) {
      heap.collect();
      alive = heap.used();
    }
    await clock.sleep(LOOK_MS, signal).catch(() => {}); // the loop looks at the signal
  }
}

/**
 * The heap of V8. To be asked for only once the start is over: compiled code counts for one set of flags, Node's own too, and
 * each start would compile all of it again (20 to 40 of 55 to 90 ms here).
 */
export async function v8Heap(): Promise<Heap> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return { used: heapUsed, collect };
}

/** Memory that stands outside of V8 for objects of it counts as well: packets of sound are such. */
function heapUsed(): number {
  const { heapUsed: inside, external } = process.memoryUsage();
  return inside + external;
}
