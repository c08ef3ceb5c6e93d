import { backoff, fullJitter, type Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';

/** The waits before the next dial, in ms. */
export interface RedialPolicy {
  /** Network: full jitter between these after the first try at once. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** 4004: doubling, never at once. */
  readonly closedFirstMs: number;
  readonly closedMaxMs: number;
  /** 1000: another program uses this endpoint; dialling at once would only throw it out in turn. */
  readonly replacedFirstMs: number;
  readonly replacedMaxMs: number;
  /** Key refused: anything between these, until a new endpoint is set. */
  readonly refusedMinMs: number;
  readonly refusedMaxMs: number;
  /** TLS or clock. */
  readonly tlsFirstMs: number;
  readonly tlsMaxMs: number;
}

type Row = 'network' | 'closed' | 'replaced' | 'refused' | 'tls';

/** The reconnect table: each cause has its row, each row its own count. */
const ROWS: Partial<Record<Code, Row>> = {
  CLOUD_4004: 'closed',
  CLOUD_CLOSED: 'closed',
  CLOUD_HTTP: 'closed',
  REPLACED: 'replaced',
  KEY_REFUSED: 'refused',
  KEY_EXPIRED: 'refused',
  ENDPOINT_INVALID: 'refused',
  TLS: 'tls',
  CLOCK: 'tls',
};

const MAX_AT_ONCE = 5;
const AT_ONCE_WINDOW_MS = 60_000;
/** So many at once in that window whatever the cloud lists: one that lists and drops must not make us spin. */
const MAX_AT_ONCE_LISTED = 60;
/** A wait after 4004 is never shorter, whatever is set. */
const MIN_CLOSED_MS = 500;
const JITTER = 0.2;

/** Decides when to dial again. `opened`, `listed` and `next` are told in the order of things. */
export class Redial {
  readonly #policy: RedialPolicy;
  readonly #clock: Clock;
  readonly #random: Random;
  #attempts: Record<Row, number> = { network: 0, closed: 0, replaced: 0, refused: 0, tls: 0 };
  #atOnce: number[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  #openedAt: number | undefined;

  constructor(policy: RedialPolicy, clock: Clock, random: Random) {
    this.#policy = policy;
    this.#clock = clock;
    this.#random = random;
  }

  /** A dial succeeded. It proves little: a self-hosted cloud accepts first and refuses then (cloud protocol 1.5). */
  opened(): void {
    this.#openedAt = this.#clock.now();
  }

  /** The cloud has listed our tools: the line works. */
  listed(): void {
    this.#attempts.network = 0;
    this.#attempts.tls = 0;
    this.#attempts.refused = 0;
    this.#listedAt = this.#clock.now();
  }

  /** A line ended, or a dial failed, for this cause: how many ms to wait. */
  next(code: Code): number {
    const row = ROWS[code] ?? 'network';
    const lived = this.#openedAt === undefined ? 0 : this.#clock.now() - this.#openedAt;
    const opened = this.#openedAt !== undefined;
    this.#openedAt = undefined;
    const policy = this.#policy;
    // A long good life forgives: longer than the longest wait of its row, at least a minute.
    const max = {
      network: 0,
      closed: policy.closedMaxMs,
      replaced: policy.replacedMaxMs,
      refused: 0,
      tls: 0,
    }[row];
    if (lived > Math.max(60_000, max)) this.#attempts[row] = 0;
    const attempt = this.#attempts[row]++;
    switch (row) {
      case 'network':
        return this.#network(attempt, opened);
      case 'closed':
        return Math.max(
          MIN_CLOSED_MS,
          backoff(
            { firstMs: policy.closedFirstMs, maxMs: policy.closedMaxMs, jitter: JITTER },
            attempt,
            this.#random,
          ),
        );
      case 'replaced':
        return Math.max(
          policy.replacedFirstMs,
          backoff(
            { firstMs: policy.replacedFirstMs * 1.2, maxMs: policy.replacedMaxMs, jitter: JITTER },
            attempt,
            this.#random,
          ),
        );
      case 'refused':
        return Math.round(policy.refusedMinMs + this.#random() * (policy.refusedMaxMs - policy.refusedMinMs));
      case 'tls':
        return backoff(
          { firstMs: policy.tlsFirstMs, maxMs: policy.tlsMaxMs, jitter: JITTER },
          attempt,
          this.#random,
        );
    }
  }

  /** At once after a line that had been open or a first failure, but five times a minute at most; then full jitter. */
  #network(attempt: number, opened: boolean): number {
    const now = this.#clock.now();
    this.#atOnce = this.#atOnce.filter((at) => now - at < AT_ONCE_WINDOW_MS);
    const unlisted = this.#atOnce.filter((at) => at > this.#listedAt).length;
    const mayAtOnce = unlisted < MAX_AT_ONCE && this.#atOnce.length < MAX_AT_ONCE_LISTED;
    if ((opened || attempt === 0) && mayAtOnce) {
      this.#atOnce.push(now);
      return 0;
    }
    const { retryFirstMs: firstMs, retryMaxMs: maxMs } = this.#policy;
    return fullJitter({ firstMs, maxMs }, Math.max(0, attempt - 1), this.#random);
  }
}
