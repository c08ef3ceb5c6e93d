import type { ProtocolVersion } from './session/frame.ts';

/** What a voice session is opened with. `url` and `token` are secrets. */
export interface Credentials {
  readonly url: string;
  /** Empty: no Authorization header. */
  readonly token: string;
  readonly version: ProtocolVersion;
}

/** Who the appliance is toward the voice cloud: made once, kept for ever (mode 0600). */
export interface Identity {
  /** Looks like a MAC address, lower case with colons: real, unicast and stable (cloud protocol 3). */
  readonly deviceId: string;
  /** UUID version 4. */
  readonly clientId: string;
}

/** A token that a header can carry; anything else would make the HTTP library fail with a text of its own, which quotes it. */
export function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
