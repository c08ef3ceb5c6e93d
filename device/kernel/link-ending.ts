import { wallOf } from './clock.ts';
import type { Code } from './codes.ts';
import { errnoOf, Fault, messageOf } from './fault.ts';

/** Why a line ended or could not be dialled, as one of the causes that each have their own wait and words. */
export interface LinkEnding {
  readonly asked: boolean;
  readonly code: Code;
  /** A short English phrase without any part of the address: `last close 4004`. */
  readonly reason: string;
  /** The close code of the other side, where it gave one. */
  readonly closed?: number;
}

/** Close codes of the tool endpoint (cloud protocol 1.5 and 1.8): what the other side meant by each. */
export function endingOfClose(closeCode: number): LinkEnding {
  return {
    asked: false,
    code: CLOSE_CODES[closeCode] ?? 'CLOUD_CLOSED',
    reason: `last close ${closeCode}`,
    closed: closeCode,
  };
}

const CLOSE_CODES: Readonly<Record<number, Code>> = {
  1000: 'REPLACED',
  1001: 'NET_DOWN',
  1005: 'NET_DOWN',
  1006: 'NET_DOWN',
  1008: 'KEY_REFUSED',
  1011: 'NET_DOWN',
  1012: 'NET_DOWN',
  1013: 'NET_DOWN',
  4004: 'CLOUD_4004',
};

/** An HTTP answer where a WebSocket was expected. */
export function faultOfStatus(status: number): Fault {
  const code: Code =
    status === 401 || status === 403 ? 'KEY_REFUSED' : status >= 500 ? 'NET_DOWN' : 'CLOUD_HTTP';
  return new Fault(code, `HTTP ${status} instead of a WebSocket`);
}

/** A failed dial. The message names the error code alone: Node's own texts may quote the address. */
export function faultOfDial(error: unknown, wall: number): Fault {
  const errno = errnoOf(error);
  const code = codeOfDial(errno, messageOf(error), wall);
  return new Fault(code, `dial failed: ${errno || 'no reason given'}`);
}

const NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME', 'EAI_FAIL', 'EAI_NODATA']);
const VERIFY =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

/** No certificate of today was valid before this: an earlier clock was never set (a Pi has no battery clock). */
const EARLIEST_WALL = wallOf('2026-01-01T00:00:00Z');

function codeOfDial(errno: string, message: string, wall: number): Code {
  if (NAME.has(errno)) return 'NET_NAME';
  if (errno === 'CERT_NOT_YET_VALID') return 'CLOCK';
  if (VERIFY.test(errno) || /certificate/i.test(message)) return wall < EARLIEST_WALL ? 'CLOCK' : 'TLS';
  return 'NET_DOWN';
}
