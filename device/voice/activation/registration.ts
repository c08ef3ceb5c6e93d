import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Identity } from '../credentials.ts';
import { type PostAnswer, post } from './http.ts';
import { type Registration, readRegistration } from './registration-answer.ts';

export interface RegistrationOptions {
  /** The registration address of the settings; a secret. */
  readonly url: string;
  /** PEM text of an owner's CA. */
  readonly ca?: string;
  readonly identity: Identity;
  /** Version of the product. */
  readonly version: string;
  readonly language: 'ja' | 'en';
  readonly clock: Clock;
}

const NAME = 'aivoice-edge';
const DEADLINE_MS = 10_000;

/** Asks the registration server once (cloud protocol 3). Rejects with a Fault, as `post` and `readRegistration` do. */
export async function register(options: RegistrationOptions, signal: AbortSignal): Promise<Registration> {
  const answer = await ask(options, options.url, JSON.stringify(describe(options)), signal);
  if (answer.status !== 200) throw faultOfAnswer(answer);
  return readRegistration(answer.body);
}

/** Asks whether the code was entered: `true` when it was (200), `false` to wait on (202). Rejects for anything else. */
export async function pollActivation(options: RegistrationOptions, signal: AbortSignal): Promise<boolean> {
  const answer = await ask(options, activateAddress(options.url), '{}', signal);
  if (answer.status === 200) return true;
  if (answer.status === 202) return false;
  throw faultOfAnswer(answer);
}

function ask(
  options: RegistrationOptions,
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const { identity, version, language, clock, ca } = options;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'Device-Id': identity.deviceId,
    'Client-Id': identity.clientId,
    'User-Agent': `${NAME}/${NAME}-${version}`,
    'Accept-Language': language === 'ja' ? 'ja-JP' : 'en-US',
    'Activation-Version': '1', // 2 is for devices with a serial number and a key from the factory
  };
  const ownCa = ca === undefined ? {} : { ca };
  return post({ url, headers, body, clock, deadlineMs: DEADLINE_MS, ...ownCa }, signal);
}

/**
 * What servers read of a device. A self-hosted console fails without application.version (cloud protocol 3). The reference
 * sends its address in the home as board.ip; that is nobody's business, and no server needs it: ours is the loopback's.
 */
function describe({ identity, version, language }: RegistrationOptions): object {
  const { deviceId, clientId } = identity;
  const print = createHash('sha256').update(`${NAME} ${version}`).digest('hex');
  return {
    version: 2,
    language: language === 'ja' ? 'ja-JP' : 'en-US',
    mac_address: deviceId,
    uuid: clientId,
    application: { name: NAME, version, elf_sha256: print },
    board: { type: NAME, name: NAME, ip: '127.0.0.1', mac: deviceId },
  };
}

function activateAddress(url: string): string {
  if (!URL.canParse(url)) return url; // `post` says so
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/activate`;
  return address.href;
}

function faultOfAnswer({ status }: PostAnswer): Fault {
  const code =
    status === 401 || status === 403 ? 'VOICE_NOT_REGISTERED' : status >= 500 ? 'NET_DOWN' : 'VOICE_ANSWER';
  return new Fault(code, `expected HTTP 200, got ${status}`);
}
