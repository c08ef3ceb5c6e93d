/** A number in [0, 1), injected so that tests can fix the jitter. */
export type Random = () => number;

/** Doubling from `firstMs` to `maxMs`. `jitter` spreads the delay by that part of it, both ways (0.2 = 20 %). */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly jitter: number;
}

/** The delay in ms before try `attempt` (0 is the first retry). */
export function backoff(policy: BackoffPolicy, attempt: number, random: Random): number {
  const base = Math.min(policy.firstMs * 2 ** Math.min(attempt, 40), policy.maxMs);
  return Math.round(base * (1 + policy.jitter * (2 * random() - 1)));
}

/** Full jitter: anything between `firstMs` and the doubled bound, so that a thousand appliances do not dial as one. */
export function fullJitter(policy: Omit<BackoffPolicy, 'jitter'>, attempt: number, random: Random): number {
  const bound = Math.min(policy.firstMs * 2 ** Math.min(attempt + 1, 40), policy.maxMs);
  const least = Math.min(policy.firstMs, bound);
  return Math.round(least + random() * (bound - least));
}
