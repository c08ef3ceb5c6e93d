/**
 * How far V8 lets its heap grow over what is alive before it collects, in percent. Its own choice lets a process that runs for
 * months keep many MB of garbage; here less is kept, for a collection every few MB (DECISIONS 33).
 */
const GROWTH = '--heap-growing-percent=20';

/**
 * Keeps the heap small from now on. Not before the start is over: compiled code counts for one set of flags, Node's own too,
 * and each start would compile all of it again (20 to 40 of 55 to 90 ms here). The limit counts from the first collection
 * after it, which an appliance may not reach within an hour, so one is made; what plays has 200 ms ahead of it. The young
 * generation is bounded where the appliance is started, which costs nothing.
 */
export async function keepHeapSmall(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString(GROWTH);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
