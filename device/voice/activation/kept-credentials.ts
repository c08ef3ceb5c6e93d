import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '#kernel/log.ts';
import type { Credentials, Identity } from '../credentials.ts';
import { isRecord } from '../json.ts';
import { Store } from '../store.ts';
import { checkCredentials } from './registration-answer.ts';

/** What the file holds: those of another registration server, or of another device, are not ours. */
interface Kept {
  readonly owner: string;
  readonly credentials: Credentials;
}

/** KeptCredentials: `voice-credentials.json` of the state folder, mode 0600. Neither of its two can fail: it is told. */
export class KeptCredentials {
  readonly #store: Store<Kept>;
  readonly #owner: string;
  readonly #log: Log;
  #written = '';

  /** `url` is the address of the registration server. */
  constructor(folder: string, url: string, identity: Identity, log: Log) {
    this.#store = new Store(join(folder, 'voice-credentials.json'), checkKept, log);
    this.#owner = ownerOf(url, identity);
    this.#log = log;
  }

  /** A file that cannot be read keeps nobody from registering. */
  async read(): Promise<Credentials | undefined> {
    try {
      const kept = await this.#store.read();
      if (kept?.owner !== this.#owner) return undefined;
      this.#written = JSON.stringify(kept.credentials);
      return kept.credentials;
    } catch (error) {
      this.#log.warn('credentials_unreadable', { error });
      return undefined;
    }
  }

  /** Writes only what is new: a card wears out. */
  async write(credentials: Credentials): Promise<void> {
    const text = JSON.stringify(credentials);
    if (text === this.#written) return;
    try {
      await this.#store.write({ owner: this.#owner, credentials });
      this.#written = text;
    } catch (error) {
      this.#log.warn('credentials_not_kept', { error });
    }
  }
}

function checkKept(value: unknown): Kept | undefined {
  if (!isRecord(value)) return undefined;
  const { owner, credentials } = value;
  const checked = checkCredentials(credentials);
  return typeof owner === 'string' && checked ? { owner, credentials: checked } : undefined;
}

/** A hash: an address may hold a key. */
function ownerOf(url: string, { deviceId, clientId }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([url, deviceId, clientId]))
    .digest('hex');
}
