import { Fault } from '#kernel/fault.ts';
import { type Credentials, isHeaderText } from '../credentials.ts';
import { type Fields, isRecord, parseJson } from '../json.ts';
import type { ProtocolVersion } from '../session/frame.ts';

/** What is shown and spoken while the owner has not bound the device yet. */
export interface ActivationCode {
  /** Six digits as a rule; '' where the server wants to be polled and shows nothing. */
  readonly code: string;
  /** What the server would have us say, in its own words. */
  readonly message: string;
}

/** What a registration server answered (cloud protocol 3). `pushed`: it offered firmware, which is never taken. */
export type Registration = { readonly pushed: boolean } & (
  | { readonly kind: 'bound'; readonly credentials: Credentials }
  | { readonly kind: 'unbound'; readonly shown: ActivationCode }
);

const MAX_URL = 2048;
const MAX_TOKEN = 4096;
const MAX_CODE = 32;
const MAX_MESSAGE = 500;

/**
 * Reads an answer of status 200. Throws a Fault: VOICE_ANSWER for what cannot be understood, VOICE_NOT_REGISTERED where the
 * server reports an error (a device id that it does not like), VOICE_NO_WEBSOCKET where it names no address for us (only
 * MQTT). An unbound device may get an address too: it is of no use before the code was entered.
 */
export function readRegistration(text: string): Registration {
  const answer = parseJson(text);
  if (!isRecord(answer)) throw new Fault('VOICE_ANSWER', 'expected a JSON object, got something else');
  const { websocket, activation, firmware, error } = answer;
  const pushed = isRecord(firmware) && typeof firmware.url === 'string' && firmware.url !== '';
  const shown = readActivation(activation);
  if (shown) return { kind: 'unbound', shown, pushed };
  if (isRecord(websocket)) return { kind: 'bound', credentials: readCredentials(websocket), pushed };
  if (typeof error === 'string' && error !== '')
    throw new Fault('VOICE_NOT_REGISTERED', 'the registration server reports an error');
  throw new Fault('VOICE_NO_WEBSOCKET', 'expected websocket in the answer, got none');
}

/** Voice credentials from anything, checked; throws VOICE_ANSWER. A missing token is an empty one. */
function readCredentials({ url, token, version }: Fields): Credentials {
  if (!isAddress(url))
    throw new Fault('VOICE_ANSWER', 'expected websocket.url to be a ws:// or wss:// address');
  const isToken = typeof token === 'string' && token.length <= MAX_TOKEN && isHeaderText(token);
  if (!isToken && token !== undefined && token !== null)
    throw new Fault('VOICE_ANSWER', 'expected websocket.token to be a text of printable ASCII');
  return { url, token: isToken ? token : '', version: isVersion(version) ? version : 1 };
}

/** What a file kept, or `undefined` where it is no credentials. */
export function checkCredentials(value: unknown): Credentials | undefined {
  try {
    return isRecord(value) ? readCredentials(value) : undefined;
  } catch {
    return undefined; // damaged: the caller says so
  }
}

function readActivation(value: unknown): ActivationCode | undefined {
  if (!isRecord(value)) return undefined;
  const { code, message, challenge } = value;
  const digits = typeof code === 'number' ? String(code) : plainText(code, MAX_CODE);
  if (digits === '' && typeof challenge !== 'string') return undefined;
  return { code: digits, message: plainText(message, MAX_MESSAGE) };
}

/** A text for people, without control characters and cut to `max` code points. */
function plainText(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const plain = value.slice(0, 4 * max).replace(/\p{C}+/gu, ' ');
  return [...plain.trim()].slice(0, max).join('');
}

function isAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return false;
  const { protocol, hash } = new URL(value);
  return (protocol === 'ws:' || protocol === 'wss:') && hash === '';
}

function isVersion(value: unknown): value is ProtocolVersion {
  return value === 1 || value === 2 || value === 3;
}
