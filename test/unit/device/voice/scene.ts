import type { Listener, Microphone } from '../../../../device/audio/microphone/microphone.ts';
import type { OpusDecoder, OpusEncoder } from '../../../../device/audio/opus.ts';
import type { Speaker, Utterance, UtteranceEnding } from '../../../../device/audio/speaker/speaker.ts';
import type { Code } from '../../../../device/kernel/codes.ts';
import type { LinkEnding } from '../../../../device/kernel/link-ending.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { Conversation, type ConversationOptions } from '../../../../device/voice/conversation.ts';
import type { ApplianceMessage, CloudMessage, Session } from '../../../../device/voice/session/session.ts';
import { FakeClock } from '../../fake-clock.ts';

/** Says what a test lets it hear. */
export class FakeMicrophone implements Pick<Microphone, 'listen'> {
  readonly listeners = new Set<Listener>();

  listen(listener: Listener): Disposable {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => this.listeners.delete(listener) };
  }

  /** `ms` of sound; each chunk is filled with `value`. */
  hear(ms: number, value = 1): void {
    for (let at = 0; at < ms; at += 20) {
      for (const listener of [...this.listeners]) listener(new Int16Array(320).fill(value), at);
    }
  }
}

/** Plays when a test says so. */
export class FakeSpeaker implements Pick<Speaker, 'begin'> {
  readonly utterances: FakeUtterance[] = [];

  begin(): Utterance {
    const utterance = new FakeUtterance();
    this.utterances.push(utterance);
    return utterance;
  }

  get last(): FakeUtterance | undefined {
    return this.utterances.at(-1);
  }
}

export class FakeUtterance implements Utterance {
  readonly written: number[] = [];
  readonly ended: Promise<UtteranceEnding>;
  isEnded = false;
  isStopped = false;
  aheadMs = 0;
  #settle: (ending: UtteranceEnding) => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  write(pcm: Int16Array): boolean {
    this.written.push(pcm[0] ?? 0);
    return true;
  }

  end(): void {
    this.isEnded = true;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.#settle({ how: 'stopped', heardMs: 0 });
  }

  /** The last sample has left the card, or the card is gone. */
  finish(): void {
    this.#settle({ how: 'finished', heardMs: 0 });
  }
}

/** One socket to a cloud that says what a test tells it to. */
export class FakeSession implements Session {
  readonly id = 'session';
  readonly sent: ApplianceMessage[] = [];
  readonly packets: number[] = [];
  readonly ended: Promise<LinkEnding>;
  takes = true;
  closed = false;
  onAudio: (packet: Uint8Array) => void = () => {};
  onMessage: (message: CloudMessage) => void = () => {};
  #end: (ending: LinkEnding) => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  send(message: ApplianceMessage): boolean {
    if (this.takes) this.sent.push(message);
    return this.takes;
  }

  sendAudio(packet: Uint8Array): boolean {
    if (this.takes) this.packets.push(packet[0] ?? 0);
    return this.takes;
  }

  lastSeen(): number {
    return 0;
  }

  drop(code: Code): void {
    this.#end({ asked: false, code, reason: 'dropped' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    this.#end({ asked: true, code: 'STOPPED', reason: 'closed' });
  }

  /** The words of what was sent, one text a message. */
  get words(): string[] {
    return this.sent.map((message) => Object.values(message).join(' '));
  }

  answer(...packets: number[]): void {
    this.onMessage({ type: 'tts', state: 'start' });
    for (const packet of packets) this.onAudio(Uint8Array.of(packet));
  }
}

/** A packet is one byte, a sound as many samples of its value: who loses a packet loses a number. */
const encoder: OpusEncoder = { encode: (frame) => Uint8Array.of(frame[0] ?? 0), [Symbol.dispose]: () => {} };
const decoder: OpusDecoder = {
  decode(packet) {
    if (packet[0] === 255) throw new Error('damaged');
    return new Int16Array(2880).fill(packet[0] ?? 0);
  },
  conceal: () => new Int16Array(2880).fill(-1),
  reset: () => {},
  [Symbol.dispose]: () => {},
};

/** A conversation with a cloud that answers each dial with a session of its own. */
export function converse(options: Partial<ConversationOptions> = {}) {
  const clock = new FakeClock();
  const microphone = new FakeMicrophone();
  const speaker = new FakeSpeaker();
  const sessions: FakeSession[] = [];
  const told: string[] = [];
  const conversation = new Conversation({
    clock,
    log: createLog({
      sink: () => {},
      level: () => 'debug',
      wall: () => clock.wall(),
      redact: (line) => line,
    }),
    microphone,
    speaker,
    encoder,
    decoder,
    open: async () => {
      const session = new FakeSession();
      sessions.push(session);
      return session;
    },
    mode: 'auto',
    stays: {
      connectMs: 20_000,
      listenMs: 30_000,
      thinkMs: 60_000,
      speakMs: 10_000,
      answerMs: 600_000,
      guardMs: 300,
    },
    startBufferMs: 180,
    muted: false,
    tools: async () => undefined,
    isWorking: () => false,
    on: {
      turn: ({ phase }) => told.push(phase.at),
      failed: (code) => told.push(`failed ${code}`),
      heard: (text) => told.push(`heard ${text}`),
      sentence: (text) => told.push(`sentence ${text}`),
      refusedMuted: () => told.push('refused muted'),
      alert: (message) => told.push(`alert ${message}`),
      opened: () => told.push('opened'),
    },
    ...options,
  });
  return { clock, microphone, speaker, sessions, told, conversation };
}
