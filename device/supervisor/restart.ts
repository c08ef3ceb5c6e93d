import { backoff, type Random } from '#kernel/backoff.ts';
import type { Code } from '#kernel/codes.ts';
import type { RestartPolicy } from '#kernel/service.ts';

/** The deaths of one service, as far as they decide when it starts again. */
export interface Row {
  /** Deaths since the last run that settled: the exponent of the delay. */
  readonly deaths: number;
  /** The wait in ms before the next start. */
  readonly delayMs: number;
  /** More deaths than the policy allows; stays so until a run settles or a person asks for a restart. */
  readonly failing: boolean;
  /** When the service died, within the window (monotonic ms). */
  readonly recent: readonly number[];
}

export const CLEAN: Row = { deaths: 0, delayMs: 0, failing: false, recent: [] };

/** Spreads restarts, so that services which died of one cause do not come back as one. */
const JITTER = 0.2;

/**
 * The row after a death at `at`. `settled` says that the run had been ready for `settleMs` or longer: then the next
 * start comes at once and the delays begin anew, while the window goes on counting.
 */
export function afterDeath(
  policy: RestartPolicy,
  row: Row,
  death: { readonly at: number; readonly settled: boolean },
  random: Random,
): Row {
  const { at, settled } = death;
  const recent = [...row.recent.filter((time) => time > at - policy.windowMs), at].slice(
    -policy.maxRestarts - 1,
  );
  const before = settled ? CLEAN : row;
  if (before.failing || recent.length > policy.maxRestarts) {
    return { ...before, delayMs: Math.max(before.delayMs, slowRetry(policy, random)), failing: true, recent };
  }
  if (settled) return { ...CLEAN, recent };
  const delayMs = backoff({ ...policy, jitter: JITTER }, before.deaths, random);
  // Jitter alone could make the second of two delays the shorter one.
  return { deaths: before.deaths + 1, delayMs: Math.max(before.delayMs, delayMs), failing: false, recent };
}

/** The wait in ms of a service that only a change of its settings can help: an unattended box still tries. */
export function slowRetry(policy: RestartPolicy, random: Random): number {
  return backoff({ firstMs: policy.maxMs, maxMs: policy.maxMs, jitter: JITTER }, 0, random);
}

/** Starting again does not help against these: somebody has to change a setting or stop another program. */
export function isFinal(code: Code): boolean {
  return (
    code.startsWith('CONFIG_') ||
    code === 'REMOTE_UNSUPPORTED' ||
    code === 'ALREADY_RUNNING' ||
    code === 'ENDPOINT_INVALID'
  );
}
