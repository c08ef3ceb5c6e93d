import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../brain/brain.ts';
import { encodeAnswer, PACKET_MS } from './mouth.ts';
import type { Speech } from './speech.ts';
import type { SessionEvent } from './voice-event.ts';
import type { Moment, VoiceFaults } from './voice-faults.ts';

/** A self-hosted cloud sends so many packets at once, and then one each 60 ms (cloud protocol 2.6). */
const BURST = 5;
/** Seven packets' time goes by between the last packet and `tts stop` (cloud protocol 2.6). */
const STOP_AFTER_MS = 7 * PACKET_MS;

export interface TurnOptions {
  /** What is to be answered; undefined: nothing was understood. */
  readonly question: () => Promise<string | undefined>;
  readonly think: (question: string, onTool: (tool: string) => void) => Promise<Answer>;
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
    const { question, think, speech, selfHosted, faults, line } = this.#options;
    const text = await this.#unlessCancelled(question());
    line.emit({ event: 'understood', ...(text === undefined ? {} : { text }) });
    if (text === undefined) return;
    line.say({ type: 'stt', text });
    const before = faults.packetsBeforeStart ?? 0;
    const startsAtOnce = selfHosted && before === 0;
    // A self-hosted cloud announces its answer before it has thought: a tool may run in between.
    if (startsAtOnce) this.#start();
    if (line.reach('thinking')) return;
    const reply = await this.#unlessCancelled(
      think(text, (tool) => {
        if (selfHosted && !this.#signal.aborted) line.say({ type: 'stt', text: `% ${tool}` });
      }),
    );
    line.emit({ event: 'answer', text: reply.text, known: reply.known });
    const sound = await this.#unlessCancelled(speech.say(reply.text));
    const packets = await this.#unlessCancelled(encodeAnswer(sound, speech.signal));
    await this.#speak(reply.text, packets, startsAtOnce ? undefined : before);
  }

  /** Sends by the clock, not by pauses: what is late once is not late for ever. `startAt`: where `tts start` is due. */
  async #speak(text: string, packets: readonly Uint8Array[], startAt: number | undefined): Promise<void> {
    const { faults, line, dice } = this.#options;
    const { stop, jitterMs = 0 } = faults;
    const early = typeof stop === 'object' && 'packetsEarly' in stop ? stop.packetsEarly : 0;
    const begun = performance.now();
    let due = begun;
    for (const [index, packet] of packets.entries()) {
      if (index === startAt) this.#start();
      if (index === (startAt ?? 0)) {
        line.say({ type: 'tts', state: 'sentence_start', text });
        line.emit({ event: 'sentence-start', text });
      }
      if (index === faults.stallAfter) {
        this.phase = 'silent';
        return;
      }
      if (early > 0 && index === packets.length - early) this.#stop();
      const ideal = begun + Math.max(0, index + 1 - BURST) * PACKET_MS;
      due = Math.max(due, ideal + (jitterMs > 0 ? dice(jitterMs + 1) : 0));
      await this.#until(due);
      line.sendIntruder(index);
      line.sendPacket(packet, index * PACKET_MS);
      line.emit({ event: 'packet-sent', number: index + 1, of: packets.length });
      if (index === Math.floor(packets.length / 2) && line.reach('answer')) return;
    }
    if (stop === 'never') this.phase = 'silent';
    if (stop === 'never' || early > 0) return;
    const lateMs = typeof stop === 'object' && 'lateMs' in stop ? stop.lateMs : 0;
    const drained = due + (typeof stop === 'object' && 'afterMs' in stop ? stop.afterMs : STOP_AFTER_MS);
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
