import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '#kernel/log.ts';
import type { Identity } from '../credentials.ts';
import { isRecord } from '../json.ts';
import { Store } from '../store.ts';
import { readHardwareAddress } from './hardware-address.ts';

export interface IdentityOptions {
  /** State folder; it has to be there. */
  readonly folder: string;
  readonly log: Log;
  /** Where the kernel tells of network interfaces. Default /sys/class/net; another in tests. */
  readonly interfaces?: string;
}

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Who this appliance is, for ever: read from `voice-identity.json` of the state folder, or made and kept there. A cloud
 * binds the device to it, so it never follows a change of network hardware (cloud protocol 3). Where it cannot be kept it
 * holds for this start, with a warning. Rejects with PLACE_UNUSABLE where the file is there and cannot be read: a new one
 * would lose the binding.
 */
export async function loadIdentity({ folder, log, interfaces }: IdentityOptions): Promise<Identity> {
  const store = new Store(join(folder, 'voice-identity.json'), checkIdentity, log);
  const kept = await store.read();
  if (kept) return kept;
  const deviceId = (await readHardwareAddress(interfaces)) ?? inventAddress();
  const identity = { deviceId, clientId: randomUUID() };
  try {
    await store.write(identity);
  } catch (error) {
    log.warn('identity_not_kept', { error });
  }
  return identity;
}

/** What a file, or anything else, says of an identity; `undefined` where it is none. */
function checkIdentity(value: unknown): Identity | undefined {
  if (!isRecord(value)) return undefined;
  const { deviceId, clientId } = value;
  if (typeof deviceId !== 'string' || typeof clientId !== 'string') return undefined;
  return MAC.test(deviceId) && UUID.test(clientId) ? { deviceId, clientId } : undefined;
}

/** A locally administered unicast address: no maker's, and no group's. */
function inventAddress(): string {
  const bytes = randomBytes(6);
  bytes[0] = ((bytes[0] ?? 0) & 0xfc) | 0x02;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}
