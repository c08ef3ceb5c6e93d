import type { Clock } from '#kernel/clock.ts';
import type { Microphone } from '../audio/microphone/microphone.ts';
import type { OpusEncoder } from '../audio/opus.ts';

/** Samples in a packet: 60 ms at 16 kHz, the longest that a self-hosted cloud decodes (cloud protocol 2.6). */
const FRAME = 960;
/** Packets that wait for the cloud: 24 s, longer than a dial and its hello may take. Beyond it the oldest go. */
const MAX_WAITING = 400;
/**
 * So many looks, so many ms apart, at a microphone from which nothing has come: a recorder that hung is back by then
 * (3 to 4 s). Looks and not time, since a program that was held up itself is not deaf.
 */
const DEAF_LOOKS = 4;
const LOOK_MS = 1000;

export interface RecordingOptions {
  readonly microphone: Pick<Microphone, 'listen'>;
  readonly encoder: OpusEncoder;
  readonly clock: Clock;
  /** Takes a packet; `false` where the session is gone. */
  readonly send: (packet: Uint8Array) => boolean;
  /** Nothing comes from the microphone. Told again for as long as that is so. */
  readonly onDeaf: () => void;
}

/**
 * Recording: from the microphone to packets of the session. It begins before the cloud is there, so that no first word is
 * lost, and lets nothing leave before the cloud was told that we listen.
 */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #frame = new Int16Array(FRAME);
  #filled = 0;
  #listening: Disposable | undefined;
  #look: Disposable | undefined;
  #looks = 0;
  #waiting: Uint8Array[] = [];
  #mayLeave = false;
  #heldUntil = 0;
  #began = false;
  /** Packets that had to be dropped, or that no session took. */
  dropped = 0;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** This recording, or the last one, has a packet at least. */
  get began(): boolean {
    return this.#began;
  }

  /** Begins a new recording, or goes on with the one that runs. Nothing leaves before `heldUntil` (Clock.now). */
  start(heldUntil = 0): void {
    this.#heldUntil = Math.max(this.#heldUntil, heldUntil);
    if (this.#listening) return;
    this.#listening = this.#options.microphone.listen((chunk) => this.#hear(chunk));
    this.#looks = 0;
    this.#began = false;
    this.#watch();
  }

  /** The cloud knows that we listen. */
  announced(): void {
    this.#mayLeave = true;
    if (this.#options.clock.now() >= this.#heldUntil) this.#flush();
  }

  /** Nothing is held back any more, but for what the cloud has to know first. */
  letLeave(): void {
    this.#heldUntil = 0;
    if (this.#mayLeave) this.#flush();
  }

  /** Ends it; with `keep` what was recorded still leaves, now or as soon as it is announced. */
  stop(keep: boolean): void {
    this.#listening?.[Symbol.dispose]();
    this.#listening = undefined;
    this.#look?.[Symbol.dispose]();
    if (keep) {
      this.#pad();
      if (this.#mayLeave) this.#flush();
    } else {
      this.#waiting = [];
    }
    if (!keep || this.#waiting.length === 0) this.#mayLeave = false;
    this.#filled = 0;
    this.#heldUntil = 0;
  }

  #watch(): void {
    this.#look = this.#options.clock.timer(LOOK_MS, () => {
      this.#watch();
      if (++this.#looks < DEAF_LOOKS) return;
      this.#looks = 0;
      this.#options.onDeaf();
    });
  }

  #hear(chunk: Int16Array): void {
    this.#looks = 0;
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + FRAME - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === FRAME) this.#encode();
    }
  }

  #encode(): void {
    this.#filled = 0;
    this.#began = true;
    this.#waiting.push(this.#options.encoder.encode(this.#frame));
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
      this.dropped++;
    }
    if (this.#mayLeave && this.#options.clock.now() >= this.#heldUntil) this.#flush();
  }

  /** The last word of a question may end in the middle of a frame. */
  #pad(): void {
    if (this.#filled === 0) return;
    this.#frame.fill(0, this.#filled);
    this.#encode();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const packet of waiting) if (!this.#options.send(packet)) this.dropped++;
  }
}
