/** What the store remembers of an update, as its JSON files hold it. */

/** So long a release is watched after its gate. */
export const WATCH_MS = 10 * 60_000;

/** Not proved yet; proved, in its first minutes; undone, and what is back has still to answer. */
const PHASES = ['proving', 'watching', 'returning'] as const;

/** An update that is not over: each phase ends by itself, and a boot in any of them goes on with it. */
export interface Update {
  readonly phase: (typeof PHASES)[number];
  readonly from: string;
  readonly to: string;
  /** The text of the link to which an undo goes back. */
  readonly back: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Of the boot in which it began, or that counted last: another one means that the power was cut. */
  readonly bootId: string;
  /** How often the board was started while it was watched; absent where never. */
  readonly boots?: number;
  /** When the watch ends, ISO 8601 UTC. */
  readonly until: string | null;
  /** The parts that were ready when the watch began: what it holds the release to. */
  readonly ready?: readonly string[];
  /** The mark of the settings then: with others other parts may fail. */
  readonly settings?: string;
}

/**
 * What a release failed at: it did not start, its parts did not become ready, the call through the router failed, it
 * crashed or stayed silent in its first minutes, the board was started again before it was proved or again and again in
 * those minutes, or its files have rotted since.
 */
const CHECKS = ['start', 'ready', 'call', 'crashes', 'failed', 'reboot', 'damaged'] as const;
export type Check = (typeof CHECKS)[number];

/** The last update that was undone, kept until somebody acknowledges it. */
export interface Undone {
  readonly version: string;
  /** The version that is back. */
  readonly back: string;
  readonly check: Check;
  /** A short English phrase. */
  readonly reason: string;
  readonly at: string;
  /** When the update had begun, by which the two records are known to belong together; empty where it never did. */
  readonly of: string;
  /** The last lines of the log before it was undone, 20 at most. */
  readonly log: readonly string[];
  readonly acknowledged: boolean;
}

type Fields = Readonly<Record<string, unknown>> | undefined;

/** `undefined` where it is none: what cannot be read is taken for not there. */
export function readUpdate(fields: Fields): Update | undefined {
  if (!fields) return undefined;
  const { from, to, back, at, bootId, boots, until, ready, settings } = fields;
  const phase = PHASES.find((known) => known === fields.phase);
  if (!phase || typeof to !== 'string' || typeof back !== 'string') return undefined;
  return {
    phase,
    from: text(from),
    to,
    back,
    at: text(at),
    bootId: text(bootId),
    ...(typeof boots === 'number' && { boots }),
    until: typeof until === 'string' ? until : null,
    ...(Array.isArray(ready) && { ready: ready.map(String) }),
    ...(typeof settings === 'string' && { settings }),
  };
}

export function readUndone(fields: Fields): Undone | undefined {
  if (!fields || typeof fields.version !== 'string') return undefined;
  const { version, back, check, reason, at, of, log, acknowledged } = fields;
  return {
    version,
    back: text(back),
    check: CHECKS.find((known) => known === check) ?? 'failed',
    reason: text(reason),
    at: text(at),
    of: text(of),
    log: Array.isArray(log) ? log.map(String).slice(-20) : [],
    acknowledged: acknowledged === true,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
