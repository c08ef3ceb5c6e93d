import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How one dial is met. Everything left out means: let it in at once, and greet it. */
export interface Welcome {
  /** Waits so long before it answers the upgrade; `Infinity` never answers. */
  readonly delayMs?: number;
  /** Resets the TCP connection instead of an answer. */
  readonly reset?: boolean;
  /** Answers the upgrade with this HTTP status instead of a socket. */
  readonly status?: number;
  /** Where a 3xx status points to. */
  readonly location?: string;
  /** Lets it in and closes at once: how a self-hosted broker refuses a token (cloud protocol 1.5). */
  readonly closeWith?: { readonly code: number; readonly reason?: string };
  /** False: the socket opens and nobody says anything, no `initialize` at all. */
  readonly greet?: boolean;
}

/** The welcome for a wrong key or path: the real cloud refuses at the upgrade, a broker after it. */
export function judge(request: IncomingMessage, token: string, selfHosted: boolean): Welcome | undefined {
  const url = new URL(request.url ?? '/', 'ws://cloud');
  if (url.pathname !== '/mcp/') return { status: 404 };
  if (url.searchParams.get('token') === token) return undefined;
  return selfHosted ? { closeWith: { code: 1008, reason: 'token 无效' } } : { status: 401 };
}

/** Plays the part of a welcome that comes before the socket opens; says how it refused, or nothing to let it in. */
export async function meet(raw: Socket, welcome: Welcome): Promise<string | undefined> {
  raw.on('error', () => undefined); // a dial that gives up is no fault of ours
  if (welcome.delayMs === Number.POSITIVE_INFINITY) return 'never answered';
  if (welcome.delayMs !== undefined) await sleep(welcome.delayMs);
  if (raw.destroyed) return 'gave up';
  if (welcome.reset) {
    raw.resetAndDestroy();
    return 'reset';
  }
  if (welcome.status !== undefined) {
    const location = welcome.location === undefined ? '' : `Location: ${welcome.location}\r\n`;
    raw.end(`HTTP/1.1 ${welcome.status} No\r\n${location}Content-Length: 3\r\nConnection: close\r\n\r\nno\n`);
    return `HTTP ${welcome.status}`;
  }
  return undefined;
}
