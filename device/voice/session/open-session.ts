import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { dialLink, type LinkOptions, type MediaLink } from '#kernel/link.ts';
import { type Credentials, type Identity, isHeaderText } from '../credentials.ts';
import { createSessionCounters, type SessionCounters } from './counters.ts';
import { faultOfVoiceDial } from './ending.ts';
import type { Session } from './session.ts';
import { SessionLine } from './session-line.ts';

export interface SessionOptions {
  readonly credentials: Credentials;
  readonly identity: Identity;
  /** PEM text of an owner's CA, trusted beside the usual ones. */
  readonly ca?: string;
  readonly clock: Clock;
  /** Time for name, connection, TLS and upgrade together; ms. */
  readonly dialMs: number;
  /** A hello unanswered for so long is said again once; ms. */
  readonly helloAgainMs: number;
  /** A hello unanswered for so long ends the try; ms. */
  readonly helloTimeoutMs: number;
  /** A session on which nothing was said for so long is dead; ms. */
  readonly silenceMs: number;
  /** Counts what is dropped; one may serve many sessions. */
  readonly counters?: SessionCounters;
  /** How a link is dialled. Default `dialLink`; another in tests. */
  readonly dial?: (options: LinkOptions, signal: AbortSignal) => Promise<MediaLink>;
}

/** The line is pinged and given up as the tool endpoint's; its close is cut earlier, since a person waits for the next one. */
const LINE = { pingMs: 15_000, deadMs: 25_000, closeMs: 500 };

/** What a voice cloud says is small; a megabyte is a slip or an attack, and not worth the memory of a small machine. */
const MAX_MESSAGE = 1 << 20;

/**
 * Dials the voice cloud and exchanges the hello (cloud protocol 2.1 and 2.2). Resolves with an open session; rejects with
 * a Fault, and the socket is then gone: VOICE_REFUSED (401, 403, 1008, or words and a close in place of the hello),
 * VOICE_NO_HELLO, VOICE_CLOSED or CLOUD_CLOSED (closed before its hello), STOPPED when `signal` aborted, or the code of the
 * dial (NET_NAME, NET_DOWN, TLS, CLOCK, CLOUD_HTTP, ENDPOINT_INVALID). No message holds any part of the address or the token. `signal` is for the opening alone.
 */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const { clock, credentials, counters = createSessionCounters(), dial = dialLink } = options;
  const { dialMs, helloAgainMs, helloTimeoutMs, silenceMs, ca } = options;
  const line = {
    ...LINE,
    url: credentials.url,
    headers: headersOf(options),
    clock,
    dialMs,
    maxMessage: MAX_MESSAGE,
    ...(ca === undefined ? {} : { ca }),
  };
  const link = await dial(line, signal).catch((error: unknown) => {
    throw faultOfVoiceDial(error);
  });
  const { version } = credentials;
  const session = new SessionLine(link, {
    clock,
    version,
    helloAgainMs,
    helloTimeoutMs,
    silenceMs,
    counters,
  });
  try {
    await session.greet(signal);
    return session;
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/** Cloud protocol 2.1. A token that has a space brings its own scheme. */
function headersOf({ credentials, identity }: SessionOptions): Record<string, string> {
  const token = credentials.token.trim();
  if (!isHeaderText(token))
    throw new Fault('VOICE_REFUSED', 'expected a token of printable ASCII, got other characters');
  const authorization = token.includes(' ') ? token : `Bearer ${token}`;
  return {
    ...(token === '' ? {} : { Authorization: authorization }),
    'Protocol-Version': String(credentials.version),
    'Device-Id': identity.deviceId,
    'Client-Id': identity.clientId,
  };
}
