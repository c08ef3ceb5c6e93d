import type { Code } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Ending, Health, Proof, Run } from '#kernel/service.ts';
import type { OpusCodec } from '../audio/opus.ts';
import { Activation } from './activation/activation.ts';
import type { ActivationCode } from './activation/registration-answer.ts';
import { Conversation } from './conversation.ts';
import type { Credentials, Identity } from './credentials.ts';
import { openSession } from './session/open-session.ts';
import type { Session } from './session/session.ts';
import type { DeviceTools } from './tools/device-tools.ts';
import type { VoiceServiceOptions } from './voice-service.ts';

/** Between two looks at a cloud that refuses the key (cloud protocol 1.8: 5 to 15 minutes). */
const REFUSED_MS = 300_000;

/** One life of the voice: its conversation, and its registration where it has one. */
export class VoiceRun implements Run {
  readonly ended: Promise<Ending>;
  readonly #options: VoiceServiceOptions;
  readonly #identity: Identity;
  readonly #activation: Activation | undefined;
  readonly #conversation: Conversation;
  /** Freed in this order, when nobody speaks any more. */
  readonly #codecs: readonly Disposable[];
  #tools: DeviceTools;
  /** A session that is opened only to see whether it can be. */
  #probing: { readonly leave: AbortController; readonly over: Promise<void> } | undefined;
  #end: (ending: Ending) => void = () => {};
  #proof: Proof | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  /** Why the last session could not be had, or ended; gone with the next one that can. */
  #trouble: { readonly code: Code; readonly reason: string } | undefined;

  constructor(options: VoiceServiceOptions, codec: OpusCodec, identity: Identity) {
    this.#options = options;
    this.#identity = identity;
    this.#tools = options.makeTools();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { voice, clock, log, microphone, speaker, mode, stays, startBufferMs, isWorking } = options;
    const encoder = codec.encoder();
    const decoder = codec.decoder(options.playedHz);
    this.#codecs = [encoder, decoder, codec];
    this.#conversation = new Conversation({
      ...{ clock, log, microphone, speaker, encoder, decoder, mode, stays, startBufferMs, isWorking },
      tools: (payload) => this.#tools.answer(payload),
      muted: voice.muted,
      open: async (signal) => {
        await this.#leaveProbe();
        return await this.#open(signal);
      },
      on: {
        ...voice.events,
        failed: (code) => {
          // A microphone tells its own state, and a session would not mend it.
          if (code !== 'AUDIO_STALLED') this.#trouble ??= { code, reason: 'the last exchange failed' };
          this.#activation?.renew(code);
          voice.events.failed(code);
        },
        opened: () => this.#succeed(),
      },
    });
    this.#activation = this.#activate();
    voice.attach(this.#conversation);
  }

  health(): Health {
    const proof = this.#proof && { proof: this.#proof };
    const state = this.#activation?.state;
    if (state?.at === 'waiting')
      return { state: 'degraded', code: 'VOICE_CODE', reason: toEnter(state.shown), ...proof };
    if (state?.at === 'asking' && state.code)
      return { state: 'degraded', code: state.code, reason: state.reason ?? 'registering', ...proof };
    if (state?.at === 'asking')
      return { state: 'degraded', code: 'VOICE_REGISTERING', reason: 'registering', ...proof };
    if (this.#trouble) return { state: 'degraded', ...this.#trouble, ...proof };
    return { state: 'ready', reason: this.#conversation.turn.phase.at, ...proof };
  }

  /** After a failure: a session is opened and closed, so that the state is of now. Whoever speaks meanwhile goes first. */
  async probe(): Promise<void> {
    const { phase, online } = this.#conversation.turn;
    if (!this.#trouble || phase.at !== 'idle' || online || this.#isTooSoon(this.#trouble.code)) return;
    const leave = new AbortController();
    this.#probing = { leave, over: this.#try(leave.signal) };
    await this.#probing.over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.voice.attach(new Fault('STOPPED', 'the voice is being stopped'));
    await Promise.all([
      this.#conversation[Symbol.asyncDispose](),
      this.#activation?.[Symbol.asyncDispose](),
      this.#leaveProbe(),
    ]);
    for (const codec of this.#codecs) codec[Symbol.dispose]();
    this.#end({ asked: true, reason: 'stopped' });
  }

  /** A cloud that has refused the key is not asked every minute: nobody but the owner can mend it. */
  #isTooSoon(code: Code): boolean {
    const now = this.#options.clock.now();
    if (code === 'VOICE_REFUSED' && now - this.#probedAt < REFUSED_MS) return true;
    this.#probedAt = now;
    return false;
  }

  #activate(): Activation | undefined {
    const { access, folder, session, version, language, clock, random, log, keepSecret } = this.#options;
    if (!('activationUrl' in access)) return undefined;
    let isWithout = true;
    return new Activation({
      ...{ url: access.activationUrl, folder, version, language, clock, random, log },
      ...(session.ca === undefined ? {} : { ca: session.ca }),
      identity: this.#identity,
      onChange: (state) => {
        if (state.at === 'waiting' && state.shown.code !== '') this.#options.onCode(state.shown.code);
        const credentials = this.#activation?.credentials;
        if (credentials) for (const secret of secretsOf(credentials)) keepSecret(secret);
        if (credentials && isWithout) this.#trouble = undefined; // it was for want of them
        isWithout = !credentials;
      },
    });
  }

  async #try(signal: AbortSignal): Promise<void> {
    await using session = await this.#open(signal).catch(() => undefined);
    if (session) this.#succeed();
  }

  /** Never two sessions at a time. */
  async #leaveProbe(): Promise<void> {
    this.#probing?.leave.abort();
    await this.#probing?.over;
  }

  async #open(signal: AbortSignal): Promise<Session> {
    const { session, clock, voice } = this.#options;
    const { counters } = voice;
    const credentials = this.#credentials();
    for (const secret of secretsOf(credentials)) this.#options.keepSecret(secret);
    try {
      const identity = this.#identity;
      const opened = await openSession({ ...session, credentials, identity, clock, counters }, signal);
      this.#tools = this.#options.makeTools(); // what the last session was allowed to see is over
      return opened;
    } catch (error) {
      const code = error instanceof Fault ? error.code : 'INTERNAL';
      if (!signal.aborted) this.#trouble = { code, reason: messageOf(error) };
      this.#activation?.renew(code); // it knows which failures a new registration mends
      throw error;
    }
  }

  #credentials(): Credentials {
    const { access } = this.#options;
    if ('credentials' in access) return access.credentials;
    const given = this.#activation?.credentials;
    if (given) return given;
    const state = this.#activation?.state;
    if (state?.at === 'waiting') throw new Fault('VOICE_CODE', toEnter(state.shown));
    const code = state?.at === 'asking' ? state.code : undefined;
    throw new Fault(code ?? 'VOICE_REGISTERING', 'not registered yet');
  }

  #succeed(): void {
    this.#trouble = undefined;
    this.#proof = { what: 'hello answered', at: this.#options.clock.wall() };
  }
}

/** Some servers show no code, and only want to be asked again. */
function toEnter({ code }: ActivationCode): string {
  return code === '' ? 'waiting for the console' : `code ${code}`;
}

function secretsOf({ url, token }: Credentials): string[] {
  return [url, token].filter((secret) => secret !== '');
}
