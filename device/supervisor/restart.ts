import { backoff, type Random } from '#kernel/backoff.ts';
import type { Code } from '#kernel/codes.ts';
import type { RestartPolicy } from '#kernel/service.ts';

/** The deaths of one service, as far as they decide when it starts again. */
export interface Row {
  /** Deaths since the last run that settled, but for one that was restarted at once: the exponent of the delay. */
  readonly deaths: number;
  /** The row has had its restart at once. */
  readonly spared: boolean;
  /** The wait in ms before the next start. */
  readonly delayMs: number;
  /** More deaths than the policy allows; stays so until a run settles or a person asks for a restart. */
  readonly failing: boolean;
  /** When the service died, within the window (monotonic ms). */
  readonly recent: readonly number[];
}

export const CLEAN: Row = { deaths: 0, spared: false, delayMs: 0, failing: false, recent: [] };

/** Spreads restarts, so that services which died of one cause do not come back as one. */
const JITTER = 0.2;

/** A death at `at` (monotonic ms). */
export interface DeathFacts {
  readonly at: number;
  /** The run had become ready. */
  readonly served: boolean;
  /** It had been ready for `settleMs` or longer. */
  readonly settled: boolean;
}

/**
 * The row after a death. A run that served is replaced at once the first time, since most deaths are single; the next
 * one waits. A run that settled begins the row anew, while the window goes on counting.
 */
export function afterDeath(policy: RestartPolicy, row: Row, death: DeathFacts, random: Random): Row {
  const { at, served, settled } = death;
  const recent = [...row.recent.filter((time) => time > at - policy.windowMs), at].slice(
    -policy.maxRestarts - 1,
  );
  const before = settled ? CLEAN : row;
  if (before.failing || recent.length > policy.maxRestarts) {
    return { ...before, delayMs: Math.max(before.delayMs, slowRetry(policy, random)), failing: true, recent };
  }
  if (served && before.deaths === 0 && !before.spared) return { ...CLEAN, spared: true, recent };
  const delayMs = backoff({ ...policy, jitter: JITTER }, before.deaths, random);
  // Jitter alone could make the second of two delays the shorter one.
  return { ...before, deaths: before.deaths + 1, delayMs: Math.max(before.delayMs, delayMs), recent };
}

/** The wait in ms of a service that only a change of its settings can help: an unattended box still tries. */
export function slowRetry(policy: RestartPolicy, random: Random): number {
  return backoff({ firstMs: policy.maxMs, maxMs: policy.maxMs, jitter: JITTER }, 0, random);
}

/** Starting again does not help against these: somebody has to change a setting or stop another program. */
export function isFinal(code: Code): boolean {
  return (
    code.startsWith('CONFIG_') ||
    code === 'REMOTE_REFUSED' ||
    code === 'REMOTE_REDIRECT' ||
    code === 'ALREADY_RUNNING' ||
    code === 'ENDPOINT_INVALID'
  );
}
