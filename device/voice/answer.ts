import type { Clock } from '#kernel/clock.ts';
import type { OpusDecoder } from '../audio/opus.ts';
import type { Speaker, Utterance } from '../audio/speaker/speaker.ts';

/** Packets that come before their `tts start`: 3 s. */
const MAX_EARLY = 50;
/** Packets of an answer behind one that is still played out, which may take as long as the speaker queues: 60 s. */
const MAX_NEXT = 1000;
/** Sound overtakes its `tts start` by this much at most; ms. What is older was on its way when somebody interrupted. */
const EARLY_MS = 500;
/** An answer may be called over before its last packets are here: so long after the last one it is believed. */
const TRAILING_MS = 300;
const PACKET_MS = 60;

interface Early {
  readonly packet: Uint8Array;
  readonly at: number;
}

export interface AnswerOptions {
  readonly speaker: Pick<Speaker, 'begin'>;
  readonly decoder: OpusDecoder;
  readonly clock: Clock;
  readonly startBufferMs: number;
  /** What was begun has been played to its end, or cannot be played. Never called for what was silenced. */
  readonly onPlayed: () => void;
}

/** Answer: from packets of the session to sound, to the last sample. */
export class Answer {
  readonly #options: AnswerOptions;
  #utterance: Utterance | undefined;
  /** `open` takes packets; `closing` waits for the last ones; `ended` is played out; of `lost` the rest is let pass. */
  #phase: 'none' | 'open' | 'closing' | 'ended' | 'lost' = 'none';
  #early: Early[] = [];
  /** Another answer waits for this one to be played out. */
  #next = false;
  #closeAgain = false;
  #packetAt: number;
  #begun = false;
  #closing: Disposable | undefined;
  /** Packets that were no sound, or that nobody could play. */
  damaged = 0;
  dropped = 0;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#packetAt = options.clock.now();
  }

  get aheadMs(): number {
    return this.#utterance?.aheadMs ?? 0;
  }

  /** A packet of the present answer has come. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Ms since the last packet, or since `begin`. */
  get quietMs(): number {
    return this.#options.clock.now() - this.#packetAt;
  }

  /** An answer begins. What is still played of the last one is heard first. */
  begin(): void {
    this.#packetAt = this.#options.clock.now();
    this.#begun = this.#early.length > 0;
    this.#early = this.#early.filter(({ at }) => this.#packetAt - at <= EARLY_MS);
    if (this.#phase === 'ended') {
      this.#next = true;
      this.#closeAgain = false;
      return;
    }
    this.#closing?.[Symbol.dispose]();
    if (this.#phase === 'none' || this.#phase === 'lost') this.#open();
    this.#phase = 'open';
  }

  /** A packet of an answer that has begun, or is about to. */
  packet(packet: Uint8Array): void {
    this.#packetAt = this.#options.clock.now();
    this.#begun = true;
    if (this.#phase === 'open' || this.#phase === 'closing') {
      this.#play(packet);
      if (this.#phase === 'closing') this.#awaitLast();
      return;
    }
    if (this.#phase === 'lost') {
      this.dropped++;
      return;
    }
    this.#early.push({ packet, at: this.#packetAt });
    if (this.#early.length > (this.#next ? MAX_NEXT : MAX_EARLY)) {
      this.#early.shift();
      this.dropped++;
    }
  }

  /** No more comes: plays to the last sample, then `onPlayed`. */
  playOut(): void {
    if (this.#phase === 'lost') this.#phase = 'none';
    if (this.#phase === 'none') this.#options.onPlayed();
    else if (this.#next) this.#closeAgain = true;
    else if (this.#phase === 'open') {
      this.#phase = 'closing';
      this.#awaitLast();
    }
  }

  /** Silence at once. Resolves when the card is free. */
  async silence(): Promise<void> {
    const utterance = this.#utterance;
    this.#forget();
    await utterance?.stop();
  }

  /** What came too early belonged to something that is over. */
  forgetEarly(): void {
    if (!this.#next) this.#early = [];
  }

  #open(): void {
    this.#options.decoder.reset();
    const utterance = this.#options.speaker.begin({ startBufferMs: this.#options.startBufferMs });
    this.#utterance = utterance;
    this.#phase = 'open';
    const early = this.#early;
    this.#early = [];
    for (const { packet } of early) this.#play(packet);
    void utterance.ended.then(() => this.#ended(utterance));
  }

  #play(packet: Uint8Array): void {
    const { decoder } = this.#options;
    let sound: Int16Array;
    try {
      sound = decoder.decode(packet);
    } catch {
      // A damaged packet costs its 60 ms, not the answer.
      this.damaged++;
      sound = decoder.conceal(PACKET_MS);
    }
    if (!this.#utterance?.write(sound)) this.dropped++;
  }

  #awaitLast(): void {
    const { clock } = this.#options;
    this.#closing?.[Symbol.dispose]();
    const end = () => {
      this.#phase = 'ended';
      this.#utterance?.end();
    };
    const waitMs = TRAILING_MS - this.quietMs;
    if (waitMs <= 0) end();
    else this.#closing = clock.timer(waitMs, end);
  }

  #ended(utterance: Utterance): void {
    if (utterance !== this.#utterance) return; // silenced meanwhile
    const isNext = this.#next;
    const isOver = this.#closeAgain;
    const early = this.#early;
    const isLost = this.#phase === 'open';
    this.#forget();
    if (isLost) this.#phase = 'lost';
    if (!isNext) {
      this.#options.onPlayed();
      return;
    }
    this.#early = early;
    this.#open();
    if (isOver) this.playOut();
  }

  #forget(): void {
    this.#closing?.[Symbol.dispose]();
    this.#utterance = undefined;
    this.#phase = 'none';
    this.#early = [];
    this.#next = false;
    this.#closeAgain = false;
  }
}
