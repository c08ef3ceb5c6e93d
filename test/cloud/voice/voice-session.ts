import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { type CallResult, parseObject } from '../message.ts';
import { type AudioVersion, writeFrame } from './audio-frame.ts';
import { DeviceTools } from './device-tools.ts';
import type { Fields } from './hello.ts';
import { intruderFrame } from './intruder.ts';
import { Listening } from './listening.ts';
import type { DialHeaders, ListenMode } from './voice-event.ts';
import type { Moment, VoiceFaults } from './voice-faults.ts';
import { VoiceGreeting } from './voice-greeting.ts';
import type { SessionClosed, VoiceSessionOptions } from './voice-house.ts';
import { Turn, type TurnLine } from './voice-turn.ts';

/** A wake word's `listen detect` is followed by `listen start` at once; a typed question is not. */
const DETECT_MS = 50;

/** VoiceSession: one voice socket, from the upgrade to its end (cloud protocol 2). Tells all it sees, complains of what is not allowed. */
export class VoiceSession {
  readonly number: number;
  readonly headers: DialHeaders;
  readonly version: AudioVersion;
  readonly raw: Socket;
  /** The appliance's side of the TCP connection. */
  readonly remotePort: number;
  readonly closed: Promise<SessionClosed>;
  /** The appliance's own tools. */
  readonly tools: DeviceTools;
  /** What goes wrong; may be changed while it lives. */
  faults: VoiceFaults;
  readonly #options: VoiceSessionOptions;
  readonly #socket: WebSocket;
  readonly #ended = new AbortController();
  readonly #id: string = randomUUID();
  readonly #greeting: VoiceGreeting;
  readonly #listening: Listening;
  /** Messages are taken one after the other, in the order in which they came. */
  #inbox: Promise<void>;
  #turn: Turn | undefined;
  #closedByCloud = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(options: VoiceSessionOptions) {
    const { number, socket, raw, headers, faults, selfHosted, onEvent } = options;
    this.#options = options;
    this.number = number;
    this.headers = headers;
    this.version = headers.protocolVersion === '2' ? 2 : headers.protocolVersion === '3' ? 3 : 1;
    this.raw = raw;
    this.remotePort = raw.remotePort ?? 0;
    this.faults = faults;
    this.#socket = socket;
    this.tools = new DeviceTools({
      selfHosted,
      onEvent,
      // A self-hosted cloud leaves the session out here.
      send: (payload) =>
        selfHosted ? this.send(JSON.stringify({ type: 'mcp', payload })) : this.say({ type: 'mcp', payload }),
      complain: (why) => this.complain(why),
    });
    this.#greeting = new VoiceGreeting({
      ...options,
      line: this,
      pause: (ms) => this.#pause(ms),
      meetTools: () => this.#meetTools(),
      onAnswered: () => void this.#reach('hello'),
    });
    this.#listening = new Listening({
      ...options,
      version: this.version,
      turn: () => this.#turn,
      onSound: () => this.#stayAwake(),
      onQuestion: (heard) => this.#answer(() => options.speech.understand(heard)),
      onBargeIn: () => this.#cutOff(),
      complain: (why) => this.complain(why),
    });
    this.#inbox = this.#listening.ready;
    socket.on('message', (data, isBinary) => this.#enqueue(data as Buffer, isBinary));
    socket.on('error', () => undefined); // `close` follows and tells the code
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        const end = { code, by: this.#closedByCloud ? ('cloud' as const) : ('appliance' as const) };
        void this.#end(end).then(() => resolve({ ...end, reason: reason.toString() }));
      });
    });
    this.#stayAwake();
    if (faults.firstText !== undefined) this.send(faults.firstText);
    this.#reach('open');
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** As the appliance was told; '' where its reply had none. */
  get id(): string {
    return this.faults.hello === 'no session_id' ? '' : this.#id;
  }

  /** Sends a message, with the session's id. */
  say(message: Fields): void {
    this.send(JSON.stringify({ ...(this.id === '' ? {} : { session_id: this.id }), ...message }));
  }

  /** Sends a WebSocket message as it is: a string as text, bytes as a binary frame. */
  send(frame: string | Uint8Array): void {
    if (this.open) this.#socket.send(frame);
  }

  alert(status: string, message: string, emotion = 'sad'): void {
    this.say({ type: 'alert', status, message, emotion });
  }

  reboot(): void {
    this.say({ type: 'system', command: 'reboot' });
  }

  callTool(name: string, args: Record<string, unknown> = {}, ms = 30_000): Promise<CallResult> {
    return this.tools.call(name, args, ms);
  }

  /** Ends it with a close frame of this code; 1006 without any. */
  close(code: number, reason = ''): Promise<SessionClosed> {
    this.#closedByCloud = true;
    if (code === 1006) this.#socket.terminate();
    else this.#socket.close(code, reason);
    return this.closed;
  }

  complain(why: string): void {
    this.#options.onEvent({ event: 'complaint', why });
  }

  #enqueue(data: Buffer, isBinary: boolean): void {
    const at = this.#options.now();
    this.#inbox = this.#inbox
      .then(() => {
        if (this.#closedByCloud) return; // the appliance cannot know it yet
        if (!isBinary) this.#read(data.toString());
        else if (this.#greeting.answered) this.#listening.hear(data, at);
        else this.complain('sound before the hello was answered');
      })
      .catch((error: Error) => this.complain(`the bench itself failed: ${error.stack}`));
  }

  #read(text: string): void {
    const message = parseObject(text) as Fields | undefined;
    if (message === undefined) {
      this.complain(`text that is no JSON object: ${text.slice(0, 200)}`);
      return;
    }
    if (message.type === 'hello') {
      this.#greeting.take(message);
      return;
    }
    this.#greeting.judge(message);
    if (message.type === 'mcp') this.tools.take(message.payload);
    else if (message.type === 'listen') this.#listen(message);
    else if (message.type === 'abort') this.#abort(message);
    else this.complain(`a message of type ${message.type}`);
  }

  #meetTools(): void {
    this.tools
      .meet((ms) => this.#pause(ms))
      .catch((error: Error) => {
        if (!this.#ended.signal.aborted) this.complain(`mcp: ${error.message}`);
      });
  }

  #listen({ state, mode, text }: Fields): void {
    this.#stayAwake();
    if (state === 'detect') {
      if (typeof text !== 'string') this.complain('listen detect without a text');
      else this.#detect(text);
    } else if (state === 'start') {
      if (isMode(mode)) this.#start(mode);
      else this.complain(`listen start in mode ${mode}`);
    } else if (state === 'stop') {
      this.#options.onEvent({ event: 'listen-stop' });
      this.#listening.stop();
    } else this.complain(`listen with state ${state}`);
  }

  #detect(text: string): void {
    this.#options.onEvent({ event: 'listen-detect', text });
    this.#listening.forgive();
    this.#complainOfNoAbort('listen detect');
    this.#answer(() => this.#pause(DETECT_MS).then(() => text));
  }

  #start(mode: ListenMode): void {
    this.#options.onEvent({ event: 'listen-start', mode });
    if (this.#reach('listen')) return;
    this.#complainOfNoAbort('listen start');
    this.#turn?.cancel();
    this.#listening.start(mode);
  }

  #abort({ reason }: Fields): void {
    if (reason !== undefined && typeof reason !== 'string')
      this.complain('abort with a reason that is no text');
    this.#options.onEvent({ event: 'abort', ...(typeof reason === 'string' ? { reason } : {}) });
    this.#listening.end();
    this.#cutOff();
  }

  /** Cuts the answer off and says so at once, as a self-hosted cloud does also where nothing is spoken (cloud protocol 2.3). */
  #cutOff(): void {
    const { selfHosted, onEvent } = this.#options;
    const speaks = this.#turn?.active === true || this.#turn?.phase === 'silent';
    this.#turn?.cancel();
    if (!speaks && !selfHosted) return;
    this.say({ type: 'tts', state: 'stop' });
    onEvent({ event: 'tts-stop' });
  }

  /** An answer that has only just begun may cross with what the appliance says. */
  #complainOfNoAbort(what: string): void {
    const { phase, startedAt } = this.#turn ?? {};
    if (phase !== 'speaking' || performance.now() - startedAt! < this.#options.graceMs) return;
    this.complain(`${what} while an answer is spoken, without an abort`);
  }

  #answer(question: () => Promise<string | undefined>): void {
    const { selfHosted, speech, dice, think } = this.#options;
    this.#turn?.cancel();
    const turn = new Turn({
      question,
      selfHosted,
      speech,
      dice,
      think,
      faults: this.faults,
      signal: this.#ended.signal,
      line: this.#line(),
    });
    this.#turn = turn;
    turn.run().then(
      () => this.#stayAwake(),
      (error: Error) => this.complain(`the bench itself failed: ${error.stack}`),
    );
  }

  #line(): TurnLine {
    const { faults, version } = this;
    const { intruders = [] } = faults;
    return {
      say: (message) => this.say(message),
      sendPacket: (packet, timestamp) => this.send(writeFrame(version, packet, { timestamp })),
      sendIntruder: (index) => {
        const kind = intruders[index % intruders.length];
        if (kind !== undefined) this.send(intruderFrame(kind, version));
      },
      emit: (event) => this.#options.onEvent(event),
      hush: () => this.#listening.hush(),
      reach: (moment) => this.#reach(moment),
    };
  }

  #reach(moment: Moment): boolean {
    const { close } = this.faults;
    if (close?.at !== moment) return false;
    void this.close(close.code, close.reason);
    return true;
  }

  /** Without a voice for so long a self-hosted cloud hangs up (cloud protocol 2.7). */
  #stayAwake(): void {
    clearTimeout(this.#quiet);
    if (this.#ended.signal.aborted) return;
    this.#quiet = setTimeout(() => void this.close(1000, 'no voice'), this.#options.quietMs).unref();
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#ended.signal });
  }

  async #end(end: Omit<SessionClosed, 'reason'>): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#quiet);
    this.tools.end(`the session ended (${end.code})`);
    await this.#inbox;
    this.#listening[Symbol.dispose]();
    this.#options.onEvent({ event: 'closed', ...end });
  }
}

function isMode(mode: unknown): mode is ListenMode {
  return mode === 'auto' || mode === 'manual' || mode === 'realtime';
}
