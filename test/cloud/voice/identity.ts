import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { DialHeaders } from './voice-event.ts';

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What is wrong with who somebody says to be, on activation and on the voice socket (cloud protocol 2.1, 3). */
export function complaintsOfIdentity(headers: IncomingHttpHeaders): readonly string[] {
  const device = String(headers['device-id'] ?? '');
  const client = String(headers['client-id'] ?? '');
  return [
    ...(MAC.test(device) ? [] : [`Device-Id "${device}" is no MAC address in lower case with colons`]),
    ...(MAC.test(device) && Number.parseInt(device.slice(0, 2), 16) % 2 === 1
      ? [`Device-Id ${device} is a multicast address`]
      : []),
    ...(UUID_4.test(client) ? [] : [`Client-Id "${client}" is no UUID of version 4`]),
  ];
}

/** Identity: remembers who came first, since an appliance is one and the same for ever. */
export class KnownIdentity {
  #first: string | undefined;

  /** A complaint where somebody else comes. */
  judge(headers: IncomingHttpHeaders): string | undefined {
    const now = `Device-Id ${headers['device-id']}, Client-Id ${headers['client-id']}`;
    this.#first ??= now;
    return now === this.#first ? undefined : `${now} instead of ${this.#first}`;
  }
}

/** The headers of a dial that matter. */
export function headersOf({ headers }: IncomingMessage): DialHeaders {
  const { authorization } = headers;
  const one = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  const [deviceId, clientId, protocolVersion] = ['device-id', 'client-id', 'protocol-version'].map(one);
  return {
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}
