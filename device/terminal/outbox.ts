import type { Clock } from '#kernel/clock.ts';
import { CHANNEL, encodeApart, encodeFrame, FLAG, type Frame } from './frame.ts';
import { encodePayload, type Payload, parsePayload } from './payload.ts';
import type { LinkTiming } from './timing.ts';

export interface OutboxOptions {
  readonly clock: Clock;
  readonly timing: LinkTiming;
  /** Number of the last command, which outlives the link: the terminal knows a repetition by it. */
  readonly memory: { sentSeq: number };
  readonly write: (bytes: Uint8Array) => void;
  /** The terminal has carried out a command, or refused it (`err`). */
  readonly onReply: (type: number, reply: Payload) => void;
  /** A command was sent as often as it may be, and nobody acknowledged it. */
  readonly onGivenUp: () => void;
}

/**
 * Outbox: what the terminal is to be told, one command in flight at a time (terminal link 1, stop and wait). A command is a
 * state, so a newer one takes the place of one that still waits; no more than one of each type is ever held.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<number, Payload>();
  #flight: { readonly type: number; readonly seq: number; readonly frame: Frame; tries: number } | undefined;
  #late: Disposable | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  put(type: number, payload: Payload): void {
    this.#waiting.set(type, payload);
    this.#next();
  }

  /** Nothing of it is sent any more: what the terminal is to know is told anew after the next greeting. */
  clear(): void {
    this.#late?.[Symbol.dispose]();
    this.#flight = undefined;
    this.#waiting.clear();
  }

  acknowledged(frame: Frame): void {
    const flight = this.#flight;
    if (flight === undefined || frame.ack !== flight.seq) return; // of a try before the one that was acknowledged
    const reply = parsePayload(frame.payload);
    // Damage that the checksum did not see: the same answer is asked for again, as long as there are tries.
    if (reply === undefined && flight.tries < this.#options.timing.tries) return;
    this.#late?.[Symbol.dispose]();
    this.#flight = undefined;
    this.#options.onReply(flight.type, frame.flags & FLAG.nak ? { err: {}, ...reply } : (reply ?? {}));
    this.#next();
  }

  #next(): void {
    if (this.#flight !== undefined) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [type, payload] = first;
    this.#waiting.delete(type);
    const { memory } = this.#options;
    memory.sentSeq = (memory.sentSeq + 1) & 0xff;
    const seq = memory.sentSeq;
    const frame = {
      flags: FLAG.ackWanted,
      seq,
      ack: 0,
      channel: CHANNEL.control,
      type,
      payload: encodePayload(payload),
    };
    this.#flight = { type, seq, frame, tries: 0 };
    this.#send();
  }

  #send(): void {
    const { clock, timing, write, onGivenUp } = this.#options;
    const flight = this.#flight;
    if (flight === undefined) return;
    if (flight.tries >= timing.tries) {
      onGivenUp();
      return;
    }
    const { frame } = flight;
    const isAgain = flight.tries > 0;
    this.#late = clock.timer(timing.ackMs * 2 ** flight.tries, () => this.#send());
    flight.tries++;
    const again = { ...frame, flags: frame.flags | FLAG.again };
    write(isAgain ? encodeApart(again) : encodeFrame(frame));
  }
}
