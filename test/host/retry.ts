import { fullJitter, type Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';

/** How often and how slowly a request is made again. */
export interface Retry {
  /** Default 1,000. */
  readonly firstMs: number;
  /** Default 30,000; a service that asks for more does not get it. */
  readonly maxMs: number;
  /** Requests in all. Default 5. */
  readonly attempts: number;
}

export const RETRY: Retry = { firstMs: 1000, maxMs: 30_000, attempts: 5 };

export interface Trying {
  readonly retry: Retry;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** False once something came out of it that cannot be taken back. */
  readonly again: () => boolean;
}

/** Tries until it works, an error is none of overload, or the tries are used up. An abort ends the wait at once. */
export async function retried<T>(
  work: () => Promise<T>,
  { retry, clock, random, signal, again }: Trying,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt + 1 >= retry.attempts || !again() || !isOverload(error)) throw error;
      const wished = wishedMs(error, clock.wall());
      const ms = wished === undefined ? fullJitter(retry, attempt, random) : Math.min(wished, retry.maxMs);
      await clock.sleep(ms, signal);
      signal.throwIfAborted();
    }
  }
}

/** What a service answers that has too much to do; 529 is the habit of one. */
const BUSY = [408, 409, 425, 429, 500, 502, 503, 504, 529];
const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** Whether the same request may work a little later. In a stream the error has no status, only its words or a code. */
export function isOverload(error: unknown): boolean {
  const { status, code, type, message, cause } = fieldsOf(error);
  if (typeof status === 'number') return BUSY.includes(status);
  if (BUSY.includes(Number(code)) || LOST.includes(String(code))) return true;
  if (/overload|rate.?limit|too many requests|capacity|unavailable/i.test(`${code} ${type} ${message}`))
    return true;
  // A body that ends in the middle is told as "terminated", with the socket's own error below.
  return cause !== undefined && isOverload(cause);
}

/** Retry-After in ms: seconds or a date. */
function wishedMs(error: unknown, wall: number): number | undefined {
  const { headers } = fieldsOf(error);
  const text = headers instanceof Headers ? headers.get('retry-after') : null;
  if (text === null || text.trim() === '') return undefined;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - wall : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function fieldsOf(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return {};
  const { status, code, type, message, cause, headers } = error as Record<string, unknown>;
  return { status, code, type, message, cause, headers };
}
