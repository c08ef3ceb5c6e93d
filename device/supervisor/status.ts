import { isoOf } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Proof, Service, State } from '#kernel/service.ts';

/** What is known of one part now. Times are wall clock ms. */
export interface PartStatus {
  readonly name: string;
  readonly kind: Service['kind'];
  readonly essential: boolean;
  readonly state: State;
  /** Since when the state has this word. */
  readonly since: number;
  readonly proof?: Proof;
  readonly code?: Code;
  readonly reason?: string;
  /** Starts after the first one. */
  readonly restarts: number;
  readonly pid?: number;
  /** When the next start is due. */
  readonly next?: number;
  /** The last death. */
  readonly ended?: { readonly what: string; readonly at: number; readonly code?: Code };
}

/** A part as the status document shows it. Absent values are `null`, times ISO 8601 UTC; fields are only added. */
export interface PartLine {
  readonly name: string;
  readonly kind: string;
  readonly state: State;
  readonly since: string;
  readonly proof: { readonly what: string; readonly at: string } | null;
  readonly code: string | null;
  readonly restarts: number;
  readonly pid: number | null;
  /** A short English phrase: `exited 3`, `command not found: /nonexistent`. */
  readonly reason: string | null;
  /** When the next start is due. */
  readonly next: string | null;
  /** The last death, kept while the part is well again. */
  readonly ended: { readonly what: string; readonly at: string; readonly code: string | null } | null;
}

/** Enough for a screen; the line goes out as one datagram. */
const MAX_LINE = 400;

export type Overall = 'ready' | 'degraded' | 'failed';

/** What runs, as the status document shows it. */
export interface ReleaseLine {
  readonly version: string;
  /** The release that came with the image, one that was installed since, or none: a checkout. */
  readonly from: 'factory' | 'release' | 'checkout';
  /** The image that this appliance was written with; `null` where there is none. */
  readonly image: { readonly version: string; readonly builtAt: string; readonly ageDays: number } | null;
  /** An update that was undone and that nobody has acknowledged yet. */
  readonly undone: {
    readonly version: string;
    readonly back: string;
    readonly check: string;
    readonly reason: string;
    readonly at: string;
    /** The last lines of its log. */
    readonly log: readonly string[];
  } | null;
  /** A release is being put in place, or has still to prove itself. */
  readonly updating: boolean;
}

export interface StatusDocument {
  readonly schema: 1;
  readonly state: Overall;
  readonly version: string;
  readonly release: ReleaseLine;
  readonly parts: readonly PartLine[];
  readonly counters: Readonly<Record<string, number>>;
}

/** The one status document: command line, console, deploy and tests all read this. */
export function statusDocument(facts: {
  readonly version: string;
  /** Without it: a checkout. */
  readonly release?: ReleaseLine;
  readonly parts: readonly PartStatus[];
  readonly counters?: Readonly<Record<string, number>>;
}): StatusDocument {
  const { version, parts, counters = {} } = facts;
  const release = facts.release ?? { version, ...CHECKOUT };
  return { schema: 1, state: rollUp(parts), version, release, parts: parts.map(partLine), counters };
}

const CHECKOUT = { from: 'checkout', image: null, undone: null, updating: false } as const;

/**
 * An essential part that is not ready means `failed`, and so do servers of which not one has any hope: an appliance
 * without a tool does not do its work. Any other part that is not ready means `degraded`.
 */
export function rollUp(parts: readonly PartStatus[]): Overall {
  const unready = parts.filter((part) => part.state !== 'ready');
  if (unready.some((part) => part.essential)) return 'failed';
  const servers = parts.filter((part) => part.kind === 'server');
  if (servers.length > 0 && servers.every((part) => part.state === 'failed')) return 'failed';
  return unready.length > 0 ? 'degraded' : 'ready';
}

/** One line for `systemctl status`: what is not ready, and why. */
export function statusLine(parts: readonly PartStatus[]): string {
  const unready = parts.filter((part) => part.state !== 'ready');
  const words = unready.map(({ name, state, code }) => [name, state, code].filter(Boolean).join(' '));
  return [rollUp(parts), ...words].join(', ').slice(0, MAX_LINE);
}

function partLine(part: PartStatus): PartLine {
  const { name, kind, state, proof, restarts, ended } = part;
  return {
    name,
    kind,
    state,
    since: isoOf(part.since),
    proof: proof ? { what: proof.what, at: isoOf(proof.at) } : null,
    code: part.code ?? null,
    restarts,
    pid: part.pid ?? null,
    reason: part.reason ?? null,
    next: part.next === undefined ? null : isoOf(part.next),
    ended: ended ? { what: ended.what, at: isoOf(ended.at), code: ended.code ?? null } : null,
  };
}
