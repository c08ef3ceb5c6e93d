import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Log } from '#kernel/log.ts';
import type { Microphone } from '../audio/microphone/microphone.ts';
import type { OpusDecoder, OpusEncoder } from '../audio/opus.ts';
import type { Speaker } from '../audio/speaker/speaker.ts';
import { Answer } from './answer.ts';
import { Line } from './line.ts';
import { Recording } from './recording.ts';
import type { ApplianceMessage, CloudMessage, ListenMode, Session } from './session/session.ts';
import { remainingMs, type Stays } from './turn/stay.ts';
import { step } from './turn/turn.ts';
import { type Caller, type Effect, freshTurn, type Turn, type TurnEvent } from './turn/words.ts';

export interface ConversationOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly microphone: Pick<Microphone, 'listen'>;
  readonly speaker: Pick<Speaker, 'begin'>;
  readonly encoder: OpusEncoder;
  readonly decoder: OpusDecoder;
  /** Dials and says hello; rejects with a Fault. */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  readonly mode: ListenMode;
  readonly stays: Stays;
  readonly startBufferMs: number;
  readonly muted: boolean;
  /** The cloud calls a tool of the appliance itself; resolves with what to answer. */
  readonly tools: (payload: Readonly<Record<string, unknown>>) => Promise<object | undefined>;
  /** A tool of the appliance works for the cloud right now. */
  readonly isWorking: () => boolean;
  readonly on: ConversationEvents;
}

/** What others are told. None of these may throw. */
export interface ConversationEvents {
  /** The phase or the line has changed. */
  turn(turn: Turn): void;
  /** An exchange has failed, and why. */
  failed(code: Code): void;
  /** The cloud has understood this, or says this. */
  heard(text: string): void;
  sentence(text: string): void;
  /** Somebody wants to talk while the microphone is off. */
  refusedMuted(): void;
  /** The cloud has something to show that belongs to no answer. */
  alert(message: string): void;
  /** A session works: its hello was answered. */
  opened(): void;
}

/** How often an answer that plays is looked at. */
const LOOK_MS = 1000;

/**
 * Conversation: runs the effects of the turn. INVARIANT: events are taken one after the other, each with all its effects
 * before the next.
 */
export class Conversation implements AsyncDisposable {
  readonly #options: ConversationOptions;
  readonly #line: Line;
  readonly #recording: Recording;
  readonly #answer: Answer;
  readonly #queue: TurnEvent[] = [];
  #running = false;
  #turn: Turn;
  #since: number;
  #late: Disposable | undefined;
  #heldUntil = 0;
  #disposed = false;
  /** A command that is not obeyed was logged in this session: a cloud that goes on must not fill the card. */
  #isCommandTold = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { microphone, speaker, encoder, decoder, clock, open, startBufferMs, mode, muted, on } = options;
    this.#line = new Line({
      clock,
      open,
      on: {
        opened: () => {
          this.#isCommandTold = false;
          on.opened();
          this.#take({ type: 'opened' });
        },
        lost: (code) => this.#take({ type: 'closed', ...(code && { code }) }),
        audio: (packet) => this.#hear(packet),
        message: (message, reply) => this.#read(message, reply),
      },
    });
    const send = (packet: Uint8Array) => this.#line.sendAudio(packet);
    const onDeaf = () => this.#take({ type: 'deaf' });
    this.#recording = new Recording({ microphone, encoder, clock, send, onDeaf });
    const onPlayed = () => this.#take({ type: 'played' });
    this.#answer = new Answer({ speaker, decoder, clock, startBufferMs, onPlayed });
    this.#turn = freshTurn(mode, muted);
    this.#since = clock.now();
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** Packets that were damaged or had to be dropped, in both directions. */
  get lost(): number {
    return this.#recording.dropped + this.#answer.damaged + this.#answer.dropped;
  }

  /** Somebody wants to talk, or to end what goes on. What is recorded leaves from `heldUntil` on (Clock.now). */
  call(caller: Caller, heldUntil = 0): void {
    this.#heldUntil = heldUntil;
    this.#take({ type: 'called', caller });
  }

  /** That call was meant: what was held back leaves before its time. */
  letLeave(): void {
    this.#heldUntil = 0;
    this.#recording.letLeave();
  }

  /** That call was a mistake. */
  withdraw(): void {
    this.#take({ type: 'withdrawn' });
  }

  /** The question is over. */
  finish(): void {
    // A cloud that got no sound has nothing to answer, and says nothing: the button was only touched.
    const isAsked = this.#recording.began || this.#turn.mode === 'realtime';
    this.#take({ type: isAsked ? 'finished' : 'withdrawn' });
  }

  /** Ends whatever goes on. */
  stop(): void {
    this.#take({ type: 'stopped' });
  }

  mute(on: boolean): void {
    this.#take({ type: 'muted', on });
  }

  /** Puts a typed question. `false`: a turn goes on. */
  say(text: string): boolean {
    if (this.#turn.phase.at !== 'idle') return false;
    this.#take({ type: 'typed', text });
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#take({ type: 'stopped' });
    this.#disposed = true;
    this.#late?.[Symbol.dispose]();
    this.#recording.stop(false);
    await Promise.all([this.#answer.silence(), this.#line.hangUp()]);
  }

  #take(event: TurnEvent): void {
    if (this.#disposed) return;
    this.#queue.push(event);
    if (this.#running) return; // an effect may bring about the next event
    this.#running = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#run(next);
    } finally {
      this.#running = false;
    }
  }

  #run(event: TurnEvent): void {
    const before = this.#turn;
    const { turn, effects } = step(before, event);
    this.#turn = turn;
    if (turn.phase !== before.phase) this.#since = this.#options.clock.now();
    for (const effect of effects) this.#do(effect);
    this.#watch();
    if (turn !== before) this.#options.on.turn(turn);
  }

  #do(effect: Effect): void {
    switch (effect.do) {
      case 'dial':
        this.#line.dial();
        break;
      case 'hang up':
        void this.#line.hangUp();
        break;
      case 'send':
        this.#line.send(effect.message);
        break;
      case 'record':
        this.#answer.forgetEarly();
        this.#recording.start(this.#heldUntil);
        break;
      case 'announced':
        this.#recording.announced();
        break;
      case 'stop recording':
        this.#recording.stop(effect.keep);
        break;
      case 'play':
        this.#answer.begin();
        break;
      case 'play out':
        this.#answer.playOut();
        break;
      case 'silence':
        void this.#answer.silence();
        break;
      case 'fail':
        this.#options.on.failed(effect.code);
        break;
      case 'refuse muted':
        this.#options.on.refusedMuted();
        break;
    }
  }

  #hear(packet: Uint8Array): void {
    // Of an answer that was interrupted; else sound may overtake the message that announces it.
    if (!this.#turn.interrupted) this.#answer.packet(packet);
  }

  #read(message: CloudMessage, reply: (answer: ApplianceMessage) => void): void {
    const { on, log } = this.#options;
    switch (message.type) {
      case 'stt':
        on.heard(message.text);
        this.#take({ type: 'recognised' });
        break;
      case 'llm':
        log.debug('emotion', { emotion: message.emotion });
        break;
      case 'tts':
        if (message.state === 'start') this.#take({ type: 'answer started' });
        else if (message.state === 'stop') this.#take({ type: 'answer over' });
        else if (!this.#turn.interrupted) on.sentence(message.text);
        break;
      case 'mcp':
        void this.#callTool(message.payload, reply);
        break;
      case 'alert':
        on.alert(message.message);
        break;
      case 'system':
        // A reboot is a tool for the owner, and nothing that a message may do.
        if (!this.#isCommandTold)
          log.warn('system_command_ignored', { command: message.command.slice(0, 40) });
        this.#isCommandTold = true;
        break;
      case 'goodbye':
        this.#line.leave();
        break;
    }
  }

  async #callTool(
    payload: Readonly<Record<string, unknown>>,
    reply: (answer: ApplianceMessage) => void,
  ): Promise<void> {
    const { tools, log } = this.#options;
    const answer = await tools(payload).catch((error: unknown) => {
      log.warn('device_tool_failed', { error });
      return undefined;
    });
    if (answer) reply({ type: 'mcp', payload: answer as Record<string, unknown> });
  }

  /** Sees to it that no phase outlasts its longest stay. */
  #watch(): void {
    this.#late?.[Symbol.dispose]();
    const ms = this.#remainingMs();
    if (ms === Number.POSITIVE_INFINITY) return;
    // How long an answer may be silent changes with what comes of it, and with who works for it.
    const most = this.#turn.phase.at === 'speaking' ? LOOK_MS : ms;
    this.#late = this.#options.clock.timer(Math.max(Math.min(ms, most), 1), () => {
      if (this.#remainingMs() <= 0) this.#take({ type: 'late' });
      else this.#watch();
    });
  }

  #remainingMs(): number {
    const { clock, stays, isWorking } = this.#options;
    const { quietMs, aheadMs, begun } = this.#answer;
    const playing = { quietMs, aheadMs, begun, working: isWorking() };
    return remainingMs(this.#turn, stays, clock.now() - this.#since, playing);
  }
}
