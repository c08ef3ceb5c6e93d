import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { dice } from '../../dice.ts';
import { type Brain, type Mind, rules } from '../brain/mind.ts';
import type { Certificate } from '../certificate.ts';
import type { Cloud } from '../cloud.ts';
import type { Timed } from '../events.ts';
import { establishedWith } from '../kernel-sockets.ts';
import { Listener } from '../listener.ts';
import { Waiters } from '../waiters.ts';
import type { Welcome } from '../welcome.ts';
import { type ActivationPlan, ActivationServer } from './activation.ts';
import { complaintsOfIdentity, headersOf, KnownIdentity } from './identity.ts';
import type { Speech } from './speech.ts';
import type { SessionEvent, VoiceEvent } from './voice-event.ts';
import type { VoiceFaults } from './voice-faults.ts';
import type { Following, VoiceHouse } from './voice-house.ts';
import { VoiceSession } from './voice-session.ts';

export interface VoiceCloudOptions {
  readonly speech: Speech;
  /** Default `real`. */
  readonly mode?: 'real' | 'self-hosted';
  /** Serves TLS with it; without one plain ws and http. */
  readonly certificate?: Certificate;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: a fresh one. '' asks for none. */
  readonly token?: string;
  /** The tool endpoint's cloud: where the brain's tools are. Without one it has none. */
  readonly tools?: Cloud;
  /** Begins a conversation for each session. Default: the rules. */
  readonly brain?: Brain;
  /** Answers instead of the brain. */
  readonly answer?: (question: string) => Promise<string>;
  /** When MCP to the appliance's own tools begins. Default `after`. */
  readonly mcp?: 'before' | 'after' | 'never';
  /** For the faults that are left to chance. Default 1. */
  readonly seed?: number;
  /** Silence that ends a question in auto and realtime mode; ms. Default 500. */
  readonly endpointMs?: number;
  /** Without a voice for so long the session is closed with 1000; ms. Default 120,000. */
  readonly quietMs?: number;
  /** How late the appliance may hear of an answer without a complaint; ms. Default 500. */
  readonly graceMs?: number;
  /** Complaints are events only, and disposing does not throw them. Default false. */
  readonly tolerant?: boolean;
  readonly onEvent?: (event: Timed<VoiceEvent>) => void;
}

/** A recorded event of one name. */
type Named<Name> = Extract<Timed<VoiceEvent>, { readonly event: Name }>;

/** Paths of the two services, on one port. */
const SOCKET = '/xiaozhi/v1/';
const ACTIVATION = '/xiaozhi/ota/';
/** A record of so many events loses its older half: a long soak must not fill the memory. */
const RECORD = 100_000;

/** Starts the voice part of a bench cloud on loopback. */
export async function startVoiceCloud(options: VoiceCloudOptions): Promise<VoiceCloud> {
  const cloud = new VoiceCloud(options);
  await cloud.listen(options.port ?? 0);
  return cloud;
}

/**
 * VoiceCloud: activation and voice sessions (cloud protocol 2, 3). Disposing closes everything and throws what it had
 * to complain about.
 */
export class VoiceCloud implements AsyncDisposable {
  /** How every registration is answered; `nextActivations` come first, one each. */
  activation: ActivationPlan = {};
  readonly nextActivations: ActivationPlan[] = [];
  /** What goes wrong with every session; `nextFaults` come first, one dial each. */
  faults: VoiceFaults = {};
  readonly nextFaults: VoiceFaults[] = [];
  readonly sessions: VoiceSession[] = [];
  readonly complaints: string[] = [];
  readonly token: string;
  readonly #options: VoiceCloudOptions;
  readonly #listener: Listener;
  readonly #activation: ActivationServer;
  readonly #house: VoiceHouse;
  readonly #opened = new Waiters<VoiceSession>();
  readonly #events = new Waiters<Timed<VoiceEvent>>();
  readonly #faultsOf = new WeakMap<IncomingMessage, VoiceFaults>();
  readonly #identity = new KnownIdentity();
  readonly #born = performance.now();
  readonly #brain: Brain;
  #dials = 0;

  constructor(options: VoiceCloudOptions) {
    this.#options = options;
    const { answer } = options;
    this.#brain = answer
      ? () => async (text) => ({ text: await answer(text), known: true })
      : (options.brain ?? rules);
    this.token = options.token ?? randomBytes(16).toString('base64url');
    this.#house = {
      selfHosted: options.mode === 'self-hosted',
      mcp: options.mcp ?? 'after',
      speech: options.speech,
      dice: dice(options.seed ?? 1),
      endpointMs: options.endpointMs ?? 500,
      quietMs: options.quietMs ?? 120_000,
      graceMs: options.graceMs ?? 500,
      now: this.now,
    };
    this.#activation = new ActivationServer({
      path: ACTIVATION,
      socket: () => ({ url: this.url, token: this.token }),
      plan: () => this.nextActivations.shift() ?? this.activation,
      pollPlan: () => this.activation,
      identity: this.#identity,
      onEvent: (event) => this.#emit(event),
      complain: (why) => this.#complain(0, why),
    });
    this.#listener = new Listener({
      ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
      welcome: (request) => this.#judge(request),
      onRefused: (how) => this.#emit({ event: 'refused', how }),
      onOpen: (socket, raw, welcome, request) => {
        this.#complainOfOverlap();
        const number = this.sessions.length + 1;
        const onEvent = (event: SessionEvent) => this.#emit({ session: number, ...event });
        onEvent({ event: 'connected' });
        const mind = this.#brain();
        const session = new VoiceSession({
          ...this.#house,
          number,
          socket,
          raw,
          headers: headersOf(request),
          faults: this.#faultsOf.get(request) ?? {},
          think: (question, following) => this.#think(mind, question, number, following),
          onEvent,
        });
        this.sessions.push(session);
        if (welcome.closeWith !== undefined) {
          void session.close(welcome.closeWith.code, welcome.closeWith.reason);
        }
        this.#opened.add(session);
      },
      onRequest: (request, response) => void this.#activation.serve(request, response),
    });
  }

  /** Where the voice socket is; with the token one can dial it by hand. */
  get url(): string {
    return `${this.#scheme('ws')}://127.0.0.1:${this.#listener.port}${SOCKET}`;
  }

  get activationUrl(): string {
    return `${this.#scheme('http')}://127.0.0.1:${this.#listener.port}${ACTIVATION}`;
  }

  get events(): ReadonlyArray<Timed<VoiceEvent>> {
    return this.#events.record;
  }

  /** Milliseconds since the cloud started: the time of everything that it records. */
  readonly now = (): number => performance.now() - this.#born;

  /** The n-th session, 1 being the first; waits for it. */
  session(number: number, ms = 10_000): Promise<VoiceSession> {
    return this.#opened.expect(`voice session ${number}`, (session) => session.number === number, ms);
  }

  /** An event of the past or of the next `ms`. */
  expect(
    what: string,
    matches: (event: Timed<VoiceEvent>) => boolean,
    ms = 10_000,
  ): Promise<Timed<VoiceEvent>> {
    return this.#events.expect(what, matches, ms);
  }

  /** The first event of this name, past or of the next `ms`. */
  async first<Name extends VoiceEvent['event']>(name: Name, ms = 10_000): Promise<Named<Name>> {
    return (await this.expect(name, ({ event }) => event === name, ms)) as Named<Name>;
  }

  /** All events of this name so far. */
  all<Name extends VoiceEvent['event']>(name: Name): ReadonlyArray<Named<Name>> {
    return this.events.filter((event): event is Named<Name> => event.event === name);
  }

  /** An event that comes after this call. */
  next(
    what: string,
    matches: (event: Timed<VoiceEvent>) => boolean,
    ms = 10_000,
  ): Promise<Timed<VoiceEvent>> {
    return this.#events.next(what, matches, ms);
  }

  /** The owner takes the appliance out of the account. */
  unbind(): void {
    this.#activation.unbind();
  }

  /** Takes dials (again), on the same port as before. */
  async listen(port = this.#listener.port): Promise<void> {
    await this.#listener.listen(port);
  }

  /** Takes no dials: the port refuses. Open sessions stay. */
  stopListening(): void {
    this.#listener.close();
  }

  /** The appliance is gone: whoever waits for something of it need not wait for long. */
  giveUp(why: string): void {
    this.#opened.end(why);
    this.#events.end(why);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]();
    await Promise.all(this.sessions.map((session) => session.closed));
    if (this.complaints.length > 0 && this.#options.tolerant !== true) {
      throw new Error(`the voice cloud complains:\n${this.complaints.join('\n')}`);
    }
  }

  #scheme(plain: 'ws' | 'http'): string {
    return this.#options.certificate === undefined ? plain : `${plain}s`;
  }

  /** How a dial is met. The real cloud refuses at the upgrade, a self-hosted one after it, in words. */
  #judge(request: IncomingMessage): Welcome {
    const headers = headersOf(request);
    const faults = this.nextFaults.shift() ?? this.faults;
    this.#faultsOf.set(request, faults);
    this.#emit({ event: 'dialled', dial: ++this.#dials, headers });
    if (new URL(request.url ?? '/', 'ws://cloud').pathname !== SOCKET) {
      this.#complain(0, `a dial to ${request.url}`);
      return { status: 404 };
    }
    for (const why of this.#complaintsOfDial(request)) this.#complain(0, `dial ${this.#dials}: ${why}`);
    const expected = this.token === '' ? undefined : `Bearer ${this.token}`;
    if (headers.authorization === expected) return faults.welcome ?? {};
    if (!this.#house.selfHosted) return { status: 401 };
    this.#faultsOf.set(request, { ...faults, firstText: '认证失败', close: { at: 'open', code: 1000 } });
    return {};
  }

  #complaintsOfDial(request: IncomingMessage): readonly string[] {
    const version = headersOf(request).protocolVersion ?? 'none';
    const other = this.#identity.judge(request.headers);
    return [
      ...complaintsOfIdentity(request.headers),
      ...(['1', '2', '3'].includes(version) ? [] : [`Protocol-Version ${version}`]),
      ...(other === undefined ? [] : [other]),
    ];
  }

  async #think(mind: Mind, question: string, session: number, { onTool, ...following }: Following) {
    const endpoint = this.#options.tools;
    const tools = (await endpoint?.tools().catch(() => undefined)) ?? [];
    return mind(question, {
      ...following,
      tools,
      call: async (tool, args) => {
        onTool(tool);
        const asked = this.now();
        try {
          return await endpoint!.call(tool, args, 30_000);
        } finally {
          this.#emit({ event: 'tool-called', session, tool, ms: this.now() - asked });
        }
      },
    });
  }

  /** Counts by the kernel's word, as the tool endpoint's cloud does. */
  #complainOfOverlap(): void {
    const established = establishedWith(this.#listener.port);
    const held = this.sessions.filter(({ remotePort, raw }) => established.has(remotePort) && !raw.destroyed);
    if (held.length > 0)
      this.#complain(this.sessions.length + 1, `${held.length + 1} voice sockets at a time`);
  }

  #complain(session: number, why: string): void {
    this.#emit({ event: 'complaint', session, why });
  }

  #emit(event: VoiceEvent): void {
    if (event.event === 'complaint') {
      this.complaints.push(event.session === 0 ? event.why : `session ${event.session}: ${event.why}`);
    }
    const timed = { ...event, at: this.now() };
    this.#options.onEvent?.(timed);
    this.#events.add(timed);
    const { record } = this.#events;
    if (record.length > RECORD) record.splice(0, RECORD / 2);
  }
}
