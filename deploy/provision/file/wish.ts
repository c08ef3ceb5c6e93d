import type { Wifi } from './wifi.ts';

/** What aivoice.toml asks for; what it does not name stays as it is. */
export interface Wish {
  readonly name?: string;
  readonly language?: 'auto' | 'ja' | 'en';
  /** IANA name. */
  readonly timeZone?: string;
  /** Servers of time, beside those of the network. */
  readonly ntp?: readonly string[];
  /** A key. */
  readonly endpoint?: string;
  /** A key. */
  readonly voiceToken?: string;
  /** Lines of authorized_keys: who may log in, instead of who might before. */
  readonly sshKeys?: readonly string[];
  readonly wifi?: Wifi;
  /** Entries of appliance.toml. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Every key at the top of the file that is not one of appliance.toml. */
export const OWN_KEYS = ['name', 'language', 'time_zone', 'ntp', 'endpoint', 'ssh_key', 'wifi'] as const;
export const WIFI_KEYS = ['ssid', 'password', 'country', 'hidden'] as const;

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}
