import { backoff, type Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Credentials, Identity } from '../credentials.ts';
import { KeptCredentials } from './kept-credentials.ts';
import type { ActivationCode } from './registration-answer.ts';
import { registerInRounds } from './rounds.ts';

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

/** Between two registrations that both helped nothing: a cloud at odds with itself is not asked in a spin. */
const RENEW = { firstMs: 2000, maxMs: 600_000, jitter: 0.2 };
/**
 * A self-hosted cloud answers no hello of a device that was taken out of its console (cloud protocol 2.2); the others are
 * those of an address that is no longer right.
 */
const DOUBTS: ReadonlySet<Code> = new Set<Code>([
  'VOICE_NO_HELLO',
  'NET_NAME',
  'NET_DOWN',
  'TLS',
  'CLOUD_HTTP',
  'ENDPOINT_INVALID',
]);
/** Credentials that were good for so long begin the waits of RENEW anew. */
const GOOD_MS = 3_600_000;

/**
 * Activation: gets the credentials of the voice cloud and keeps them (cloud protocol 3). Kept ones are used without asking;
 * `renew` has it ask again. Begins at once and tries for ever; disposing ends it.
 */
export class Activation implements AsyncDisposable {
  readonly #options: ActivationOptions;
  readonly #kept: KeptCredentials;
  readonly #stop = new AbortController();
  readonly #living: Promise<void>;
  #state: ActivationState = { at: 'asking' };
  #credentials: Credentials | undefined;
  /** The last trouble that was logged. */
  #told: string | undefined;
  #wake: () => void = () => {};

  constructor(options: ActivationOptions) {
    this.#options = options;
    const { folder, url, identity, log } = options;
    this.#kept = new KeptCredentials(folder, url, identity, log);
    this.#living = this.#live();
  }

  get state(): ActivationState {
    return this.#state;
  }

  /** What to open a session with; `undefined` while there is none, and `state` says why. */
  get credentials(): Credentials | undefined {
    return this.#credentials;
  }

  /**
   * A session could not be had, for this cause. Refused credentials (VOICE_REFUSED) are dropped and asked for anew. Other
   * causes that a moved cloud, or one that has forgotten the device, would have too only raise a doubt: the server is
   * asked, and what there is stays in use until it answers. Without credentials it does nothing.
   */
  renew(cause: Code = 'VOICE_REFUSED'): void {
    if (!this.#credentials || !(cause === 'VOICE_REFUSED' || DOUBTS.has(cause))) return;
    if (cause === 'VOICE_REFUSED') {
      this.#credentials = undefined;
      this.#enter({ at: 'asking', code: 'VOICE_REFUSED' });
    }
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#living;
  }

  async #live(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stop;
    const kept = await this.#kept.read();
    if (kept) this.#adopt(kept);
    let has = kept !== undefined;
    for (let doubts = 0; ; has = true) {
      if (has) {
        const since = clock.now();
        await this.#untilDoubted();
        if (clock.now() - since > GOOD_MS) doubts = 0;
        // The first time at once: somebody waits.
        if (doubts++ > 0) await clock.sleep(backoff(RENEW, doubts - 2, random), signal);
      }
      if (signal.aborted) return;
      const fresh = await this.#register(signal);
      if (!fresh) return;
      await this.#kept.write(fresh);
      this.#adopt(fresh);
    }
  }

  #untilDoubted(): Promise<void> {
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
        this.#credentials = undefined; // the server does not know us
        this.#enter({ at: 'waiting', shown });
      },
      trouble: (code: Code, reason: string, nextMs: number) => {
        if (this.#told !== `${code} ${reason}`) log.warn('registration_failed', { code, reason, nextMs });
        this.#told = `${code} ${reason}`;
        if (!this.#credentials) this.#enter({ at: 'asking', code, reason });
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
    this.#told = undefined;
    this.#options.log.info('voice_registered', { version: credentials.version });
    this.#enter({ at: 'registered' });
  }

  #enter(state: ActivationState): void {
    this.#state = state;
    if (!this.#stop.signal.aborted) this.#options.onChange(state);
  }
}
