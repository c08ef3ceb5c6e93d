import type { Player, PlayerEnding, PlayerListener } from '../../../../../device/audio/speaker/player.ts';
import type { Fault } from '../../../../../device/kernel/fault.ts';
import type { FakeClock } from '../../../fake-clock.ts';

const PER_MS = 48;
const RING = 120 * PER_MS;
const TICK_MS = 5;

/** FakePlayer: a player and its card on a fake clock. It starts with a full ring or at the end, as aplay does. */
export class FakePlayer implements Player {
  readonly ended: Promise<PlayerEnding>;
  /** What left the card, the silence of a card that stood included. */
  readonly played: number[] = [];
  /** When the card began to play, and each time that it ran dry. */
  startedAt: number | undefined;
  readonly dryAt: number[] = [];
  /** A card that stands still and takes nothing. */
  stuck = false;
  /** A deaf player takes no end and never drains. */
  deaf = false;
  /** It does not say that the card is open. */
  quiet = false;
  isGone = false;
  readonly #clock: FakeClock;
  readonly #listener: PlayerListener;
  readonly #inside: number[] = [];
  #isOpen = false;
  #isRunning = false;
  #isEnding = false;
  #tick: Disposable | undefined;
  #at = 0;
  #end: (ending: PlayerEnding) => void = () => {};

  constructor(clock: FakeClock, listener: PlayerListener) {
    this.#clock = clock;
    this.#listener = listener;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The card opens. */
  open(): void {
    this.#isOpen = true;
    this.#at = this.#clock.now();
    if (!this.quiet) this.#listener.opened();
    this.#next();
  }

  /** A pipe takes 2 s. */
  get waitingBytes(): number {
    return this.stuck ? this.#inside.length * 2 : Math.max(0, this.#inside.length - 2000 * PER_MS) * 2;
  }

  /** In the pipe and the ring, in ms. */
  get insideMs(): number {
    return this.#inside.length / PER_MS;
  }

  write(bytes: Uint8Array): void {
    const pcm = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    for (const sample of pcm) this.#inside.push(sample);
  }

  end(): void {
    this.#isEnding = true;
  }

  fail(fault: Fault): void {
    this.finish({ how: 'failed', fault });
  }

  finish(ending: PlayerEnding): void {
    this.isGone = true;
    this.#tick?.[Symbol.dispose]();
    this.#end(ending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isGone) this.finish({ how: 'stopped' });
    await this.ended;
  }

  #next(): void {
    this.#tick = this.#clock.timer(TICK_MS, () => this.#play());
  }

  #play(): void {
    const now = this.#clock.now();
    const due = (now - this.#at) * PER_MS;
    this.#at = now;
    if (this.#isRunning) {
      const sounding = this.#inside.splice(0, due);
      this.played.push(...sounding);
      if (sounding.length < due) this.#runDry(now);
    } else if (this.#isOpen && (this.#inside.length >= RING || this.#isEnding)) {
      this.#isRunning = true;
      this.startedAt ??= now;
      if (this.dryAt.length > 0) this.#listener.underrun(now - (this.dryAt.at(-1) as number));
    }
    if (!this.isGone) this.#next();
  }

  #runDry(now: number): void {
    if (this.#isEnding && !this.deaf) {
      this.finish({ how: 'drained' });
      return;
    }
    this.#isRunning = false;
    this.dryAt.push(now);
  }
}
