import { type AudioVersion, describeOpus, readFrame } from './audio-frame.ts';
import { type Ear, openEar } from './ear.ts';
import type { ListenMode, SessionEvent } from './voice-event.ts';
import type { Turn } from './voice-turn.ts';

/** So much sound while an answer is spoken is somebody who cuts in; ms. */
const BARGE_IN_MS = 300;

export interface ListeningOptions {
  readonly version: AudioVersion;
  /** Silence that ends a question in auto and realtime mode; ms. */
  readonly endpointMs: number;
  /** The appliance cannot know at once that it is to be quiet; ms. */
  readonly graceMs: number;
  readonly now: () => number;
  readonly turn: () => Turn | undefined;
  readonly onSound: () => void;
  readonly onQuestion: (heard: Int16Array) => void;
  readonly onBargeIn: () => void;
  readonly onEvent: (event: SessionEvent) => void;
  readonly complain: (why: string) => void;
}

/** Listening: whether the appliance may send sound, what came of it, and where a question ends. */
export class Listening implements Disposable {
  readonly ready: Promise<void>;
  readonly #options: ListeningOptions;
  #ear: Ear | undefined;
  #mode: ListenMode | undefined;
  /** Until this moment sound outside listening is only late. */
  #graceUntil = Number.NEGATIVE_INFINITY;
  #packets = 0;
  #firstAt = 0;
  #lastAt = 0;
  /** Packets that came while nothing was to come: a wake word's, if `listen detect` is next (cloud protocol 2.3). */
  #strays = 0;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.ready = openEar().then((ear) => {
      this.#ear = ear;
    });
  }

  start(mode: ListenMode): void {
    this.#settle();
    if (this.#mode !== undefined && this.#options.turn()?.active !== true && this.#packets > 0) {
      this.#options.complain('listen start in the middle of a question');
    }
    this.#mode = mode;
    this.#packets = 0;
    this.#ear?.clear();
  }

  /** The appliance says that the question is over. */
  stop(): void {
    this.#settle();
    if (this.#mode === undefined) {
      if (this.#options.now() > this.#graceUntil) this.#options.complain('listen stop without listening');
      return;
    }
    this.#mode = undefined;
    this.#graceUntil = Number.NEGATIVE_INFINITY;
    // In auto mode both may find the end at the same time: then there is an answer under way.
    if (this.#options.turn()?.active !== true) this.#over('listen-stop');
  }

  /** No more sound is to come, the appliance knows it. */
  end(): void {
    this.#settle();
    this.#mode = undefined;
    this.#graceUntil = Number.NEGATIVE_INFINITY;
  }

  /** No more sound is to come, the appliance does not know it yet. In realtime both may speak. */
  hush(): void {
    this.#ear?.clear();
    if (this.#mode === undefined || this.#mode === 'realtime') return;
    this.#mode = undefined;
    this.#graceUntil = this.#options.now() + this.#options.graceMs;
  }

  /** Sound before a `listen detect` was the wake word. */
  forgive(): void {
    this.#strays = 0;
  }

  hear(frame: Buffer, at: number): void {
    const packet = this.#unpack(frame);
    if (packet === undefined) return;
    if (this.#mode === undefined) {
      this.#stray(at);
      return;
    }
    const loud = this.#decode(packet);
    if (loud === undefined) return;
    if (this.#packets++ === 0) this.#firstAt = at;
    this.#lastAt = at;
    this.#options.onEvent({ event: 'audio', number: this.#packets, bytes: packet.length, loud });
    if (loud) this.#options.onSound();
    this.#judge();
  }

  [Symbol.dispose](): void {
    this.#settle();
    this.#ear?.[Symbol.dispose]();
  }

  #unpack(frame: Buffer): Uint8Array | undefined {
    try {
      const { packet } = readFrame(this.#options.version, frame);
      const { ms, stereo } = describeOpus(packet);
      if (ms !== 60 || stereo) {
        this.#options.complain(`a packet of ${ms} ms${stereo ? ' in stereo' : ''} instead of 60 ms`);
      }
      return packet;
    } catch (error) {
      this.#options.complain(`a binary frame of ${frame.length} bytes: ${(error as Error).message}`);
      return undefined;
    }
  }

  #decode(packet: Uint8Array): boolean | undefined {
    try {
      return this.#ear?.hear(packet);
    } catch (error) {
      this.#options.complain(`a packet of ${packet.length} bytes is no Opus: ${(error as Error).message}`);
      return undefined;
    }
  }

  #stray(at: number): void {
    if (at <= this.#graceUntil) return;
    // While an answer is spoken even a wake word comes behind an abort: that is told at once.
    if (++this.#strays === 1 && this.#options.turn()?.phase === 'speaking') this.#settle();
  }

  #settle(): void {
    const strays = this.#strays;
    this.#strays = 0;
    if (strays > 0) this.#options.complain(`sound outside listening: ${strays} packets`);
  }

  #judge(): void {
    const ear = this.#ear!;
    const turn = this.#options.turn();
    if (turn?.active === true) {
      if (turn.phase === 'speaking' && ear.soundMs >= BARGE_IN_MS) this.#options.onBargeIn();
      return;
    }
    if (this.#mode !== 'manual' && ear.quietMs >= this.#options.endpointMs) this.#over('silence');
  }

  #over(by: 'listen-stop' | 'silence'): void {
    const heard = this.#ear!.heard;
    this.#ear!.clear();
    const { onEvent, onQuestion } = this.#options;
    onEvent({
      event: 'question-end',
      by,
      packets: this.#packets,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
    });
    this.#packets = 0;
    onQuestion(heard);
  }
}
