import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { backoff, type Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { registerInRounds } from './activation-rounds.ts';
import type { Credentials, Identity } from './credentials.ts';
import { type ActivationCode, checkCredentials } from './registration-answer.ts';
import { Store } from './store.ts';

/** How far the registration is. */
export type ActivationState =
  /** Asking, or between two tries; `code` and `reason` are those of the last try that failed. */
  | { readonly at: 'asking'; readonly code?: Code; readonly reason?: string }
  /** The owner has to enter a code (VOICE_CODE). */
  | { readonly at: 'waiting'; readonly shown: ActivationCode }
  | { readonly at: 'registered' };

export interface ActivationOptions {
  /** Registration address of the settings (`voice.activation_url`); a secret. */
  readonly url: string;
  /** State folder; it has to be there. What is kept in it is `voice-credentials.json`, mode 0600. */
  readonly folder: string;
  readonly ca?: string;
  readonly identity: Identity;
  /** Version of the product. */
  readonly version: string;
  readonly language: 'ja' | 'en';
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Told of each change of `state`; must not throw. */
  readonly onChange: (state: ActivationState) => void;
}

/** Between two registrations that were both refused afterwards: a cloud at odds with itself is not asked in a spin. */
const RENEW = { firstMs: 2000, maxMs: 600_000, jitter: 0.2 };
/** Credentials that were good for so long begin the waits of RENEW anew. */
const GOOD_MS = 3_600_000;

/**
 * Activation: gets the credentials of the voice cloud and keeps them (cloud protocol 3). Kept ones are used without asking;
 * `renew` has it ask again. Begins at once and tries for ever; disposing ends it.
 */
export class Activation implements AsyncDisposable {
  readonly #options: ActivationOptions;
  readonly #store: Store<Kept>;
  readonly #stop = new AbortController();
  readonly #living: Promise<void>;
  #state: ActivationState = { at: 'asking' };
  #credentials: Credentials | undefined;
  #wake: () => void = () => {};

  constructor(options: ActivationOptions) {
    this.#options = options;
    const { folder, log, identity, url } = options;
    const owner = ownerOf(url, identity);
    this.#store = new Store(join(folder, 'voice-credentials.json'), checkKept, log);
    this.#living = this.#live(owner);
  }

  get state(): ActivationState {
    return this.#state;
  }

  /** What to open a session with; `undefined` while there is none, and `state` says why. */
  get credentials(): Credentials | undefined {
    return this.#credentials;
  }

  /** The credentials were refused (VOICE_REFUSED): they are dropped and asked for anew. Without any it does nothing. */
  renew(): void {
    if (!this.#credentials) return;
    this.#credentials = undefined;
    this.#enter({ at: 'asking', code: 'VOICE_REFUSED' });
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#living;
  }

  async #live(owner: string): Promise<void> {
    const { clock, random, log } = this.#options;
    const { signal } = this.#stop;
    const kept = await this.#kept();
    let has = kept?.owner === owner;
    if (kept && has) this.#adopt(kept.credentials);
    for (let refusals = 0; ; has = true) {
      if (has) {
        const since = clock.now();
        await this.#untilRefused();
        if (clock.now() - since > GOOD_MS) refusals = 0;
        // The first time at once: somebody waits.
        if (refusals++ > 0) await clock.sleep(backoff(RENEW, refusals - 2, random), signal);
      }
      if (signal.aborted) return;
      const fresh = await this.#register(signal);
      if (!fresh) return;
      try {
        await this.#store.write({ owner, credentials: fresh });
      } catch (error) {
        log.warn('credentials_not_kept', { error });
      }
      this.#adopt(fresh);
    }
  }

  /** A file that cannot be read keeps nobody from registering. */
  async #kept(): Promise<Kept | undefined> {
    try {
      return await this.#store.read();
    } catch (error) {
      this.#options.log.warn('credentials_unreadable', { error });
      return undefined;
    }
  }

  #untilRefused(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (!this.#credentials || this.#stop.signal.aborted) resolve();
    });
  }

  async #register(signal: AbortSignal): Promise<Credentials | undefined> {
    const { log } = this.#options;
    const on = {
      code: (shown: ActivationCode) => {
        log.info('voice_code', { code: 'VOICE_CODE', digits: shown.code });
        this.#enter({ at: 'waiting', shown });
      },
      trouble: (code: Code, reason: string, nextMs: number) => {
        const { state } = this;
        if (!('code' in state) || state.code !== code || state.reason !== reason)
          log.warn('registration_failed', { code, reason, nextMs });
        this.#enter({ at: 'asking', code, reason });
      },
      pushed: () => log.warn('firmware_ignored'),
    };
    try {
      return await registerInRounds({ ...this.#options, on }, signal);
    } catch (error) {
      const isStopped = error instanceof Fault && error.code === 'STOPPED';
      if (!isStopped) log.error('registration_ended', { code: 'INTERNAL', reason: messageOf(error) });
      return undefined;
    }
  }

  #adopt(credentials: Credentials): void {
    this.#credentials = credentials;
    this.#options.log.info('voice_registered', { version: credentials.version });
    this.#enter({ at: 'registered' });
  }

  #enter(state: ActivationState): void {
    this.#state = state;
    if (!this.#stop.signal.aborted) this.#options.onChange(state);
  }
}

/** Credentials and whose they are: those of another server, or of another device, are not ours. */
interface Kept {
  readonly owner: string;
  readonly credentials: Credentials;
}

function checkKept(value: unknown): Kept | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { owner, credentials } = value as Partial<Record<keyof Kept, unknown>>;
  const checked = checkCredentials(credentials);
  return typeof owner === 'string' && checked ? { owner, credentials: checked } : undefined;
}

/** A hash: an address may hold a key. */
function ownerOf(url: string, { deviceId, clientId }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([url, deviceId, clientId]))
    .digest('hex');
}
