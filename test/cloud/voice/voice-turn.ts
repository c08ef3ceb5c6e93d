import { setTimeout as sleep } from 'node:timers/promises';
import { streamed } from '../../host/streamed.ts';
import type { Answer } from '../brain/brain.ts';
import { encodeAnswer, PACKET_MS } from './mouth.ts';
import type { Speech } from './speech.ts';
import type { SessionEvent } from './voice-event.ts';
import type { Moment, VoiceFaults } from './voice-faults.ts';
import type { Following } from './voice-house.ts';

/** A self-hosted cloud sends so many packets at once, and then one each 60 ms (cloud protocol 2.6). */
const BURST = 5;
/** Seven packets' time goes by between the last packet and `tts stop` (cloud protocol 2.6). */
const STOP_AFTER_MS = 7 * PACKET_MS;

export interface TurnOptions {
  /** What is to be answered; undefined: nothing was understood. */
  readonly question: () => Promise<string | undefined>;
  readonly think: (question: string, following: Following) => Promise<Answer>;
  readonly speech: Speech;
  readonly selfHosted: boolean;
  readonly faults: VoiceFaults;
  /** 0 to `sides` - 1. */
  readonly dice: (sides: number) => number;
  /** The end of the session. */
  readonly signal: AbortSignal;
  readonly line: TurnLine;
}

/** The session as a turn needs it. */
export interface TurnLine {
  say(message: Readonly<Record<string, unknown>>): void;
  sendPacket(packet: Uint8Array, timestampMs: number): void;
  sendIntruder(index: number): void;
  emit(event: SessionEvent): void;
  /** From now on the appliance is not to send sound, unless both may speak. */
  hush(): void;
  /** Ends the session where its faults say so; true: it has ended. */
  reach(moment: Moment): boolean;
}

/** Turn: one answer, from the question to `tts stop`. `silent`: nothing more comes, and nobody has said so. */
export class Turn {
  phase: 'thinking' | 'speaking' | 'silent' | 'over' = 'thinking';
  /** When `tts start` went out (performance.now), or never. */
  startedAt = Number.NEGATIVE_INFINITY;
  /** Packets of the answer so far, and of the row that goes out by one clock, since when. */
  #sent = 0;
  #row = { sent: 0, begun: 0, due: 0 };
  readonly #options: TurnOptions;
  readonly #cancelled = new AbortController();
  readonly #signal: AbortSignal;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#cancelled.signal]);
  }

  get active(): boolean {
    return this.phase === 'thinking' || this.phase === 'speaking';
  }

  /** Nothing of it goes out any more. */
  cancel(): void {
    this.phase = 'over';
    this.#cancelled.abort();
  }

  /** Rejects with what went wrong in the bench itself. */
  async run(): Promise<void> {
    try {
      await this.#answer();
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    } finally {
      if (this.active) this.phase = 'over';
    }
  }

  async #answer(): Promise<void> {
    const { question, speech, selfHosted, faults, line } = this.#options;
    const text = await this.#unlessCancelled(question());
    line.emit({ event: 'understood', ...(text === undefined ? {} : { text }) });
    if (text === undefined) return;
    line.say({ type: 'stt', text });
    const before = faults.packetsBeforeStart ?? 0;
    const startsAtOnce = selfHosted && before === 0;
    // A self-hosted cloud announces its answer before it has thought: a tool may run in between.
    if (startsAtOnce) this.#start();
    if (line.reach('thinking')) return;
    for await (const sentence of this.#sentences(text)) {
      const sound = await this.#unlessCancelled(speech.say(sentence));
      const packets = await this.#unlessCancelled(encodeAnswer(sound, speech.signal));
      if (!(await this.#speak(sentence, packets, startsAtOnce ? undefined : before))) return;
    }
    await this.#end();
  }

  /** An answer as it comes, sentence by sentence; whoever answers at once has said it all in one. */
  async *#sentences(question: string): AsyncGenerator<string, void> {
    const { think, selfHosted, line } = this.#options;
    const sentences = streamed(async (onPiece, left) => {
      let told = false;
      const onSentence = (sentence: string) => {
        told = true;
        onPiece(sentence);
      };
      const onTool = (tool: string) => {
        if (selfHosted && !this.#signal.aborted) line.say({ type: 'stt', text: `% ${tool}` });
      };
      const signal = AbortSignal.any([this.#signal, left]);
      const { text, known } = await this.#unlessCancelled(think(question, { onTool, onSentence, signal }));
      line.emit({ event: 'answer', text, known });
      if (!told) onPiece(text);
    });
    for await (const sentence of sentences) {
      this.#signal.throwIfAborted();
      yield sentence;
    }
  }

  /** Sends by the clock, not by pauses: what is late once is not late for ever. False: nothing more is to follow. */
  async #speak(text: string, packets: readonly Uint8Array[], startAt: number | undefined): Promise<boolean> {
    const { faults, line, dice } = this.#options;
    const { stop, jitterMs = 0 } = faults;
    const early = typeof stop === 'object' && 'packetsEarly' in stop ? stop.packetsEarly : 0;
    const row = this.#row;
    const now = performance.now();
    // A sentence that was long in coming begins a new row; else it follows on the one before.
    if (now > row.begun + row.sent * PACKET_MS) Object.assign(row, { sent: 0, begun: now, due: now });
    const first = this.#sent === 0 ? (startAt ?? 0) : 0;
    for (const [at, packet] of packets.entries()) {
      const index = this.#sent;
      if (index === startAt) this.#start();
      if (at === first) {
        line.say({ type: 'tts', state: 'sentence_start', text });
        line.emit({ event: 'sentence-start', text });
      }
      if (index === faults.stallAfter) {
        this.phase = 'silent';
        return false;
      }
      if (early > 0 && at === packets.length - early) this.#stop();
      const ideal = row.begun + Math.max(0, ++row.sent - BURST) * PACKET_MS;
      row.due = Math.max(row.due, ideal + (jitterMs > 0 ? dice(jitterMs + 1) : 0));
      await this.#until(row.due);
      line.sendIntruder(index);
      line.sendPacket(packet, index * PACKET_MS);
      this.#sent++;
      line.emit({ event: 'packet-sent', number: this.#sent, of: index - at + packets.length });
      if (at === Math.floor(packets.length / 2) && line.reach('answer')) return false;
    }
    return true;
  }

  async #end(): Promise<void> {
    const { stop } = this.#options.faults;
    const early = typeof stop === 'object' && 'packetsEarly' in stop;
    if (stop === 'never') this.phase = 'silent';
    if (stop === 'never' || (early && stop.packetsEarly > 0)) return;
    const lateMs = typeof stop === 'object' && 'lateMs' in stop ? stop.lateMs : 0;
    const drained =
      this.#row.due + (typeof stop === 'object' && 'afterMs' in stop ? stop.afterMs : STOP_AFTER_MS);
    await this.#until(drained);
    if (lateMs > 0) {
      this.phase = 'silent';
      await this.#until(drained + lateMs);
    }
    this.#stop();
  }

  #start(): void {
    const { line } = this.#options;
    this.phase = 'speaking';
    this.startedAt = performance.now();
    line.say({ type: 'llm', emotion: 'happy', text: '😊' });
    line.say({ type: 'tts', state: 'start' });
    line.hush();
    line.emit({ event: 'tts-start' });
  }

  #stop(): void {
    const { line } = this.#options;
    this.phase = 'over';
    line.say({ type: 'tts', state: 'stop' });
    line.emit({ event: 'tts-stop' });
    line.reach('tts-stop');
  }

  async #until(moment: number): Promise<void> {
    const ms = moment - performance.now();
    if (ms > 0) await sleep(ms, undefined, { signal: this.#signal });
    this.#signal.throwIfAborted();
  }

  async #unlessCancelled<T>(work: Promise<T>): Promise<T> {
    const done = await work;
    this.#signal.throwIfAborted();
    return done;
  }
}
