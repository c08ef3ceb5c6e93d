import { type Clock, within } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { OpenPlayer, Player, PlayerEnding } from './player.ts';
import { PLAYED_HZ, type Utterance, type UtteranceEnding } from './speaker.ts';
import { Feed } from './utterance-feed.ts';

/** A player that does not say that the card is open is taken at its silence: a card that cannot be had is told sooner. */
const QUIET_MS = 150;
/** Deadlines in ms: for the card to be free; for a pipe that takes nothing; for the end after the last sample. */
const FREE_MS = 3000;
const STALL_MS = 3000;
const DRAIN_MS = 2000;

export interface UtteranceOptions {
  readonly open: OpenPlayer;
  /** Settles when the card is free. */
  readonly after: Promise<unknown>;
  readonly startBufferMs: number;
  /** Sound that may wait, in ms; what comes on top is dropped and counted. */
  readonly maxQueuedMs: number;
  readonly gain: () => number;
  readonly onUnderrun: (ms: number) => void;
  readonly clock: Clock;
}

/** waiting: for the card and the start buffer; draining: the player has all; stopping: nothing is fed any more. */
type Phase = 'waiting' | 'playing' | 'draining' | 'stopping' | 'over';

/** Utterance on a card: one player, which is fed just ahead of what the card has played. */
export class CardUtterance implements Utterance {
  readonly ended: Promise<UtteranceEnding>;
  /** True as soon as the card is open, false where the utterance was over before. Never rejects. */
  readonly opened: Promise<boolean>;
  readonly #options: UtteranceOptions;
  readonly #feed: Feed;
  /** Settles when the player is gone, or will not be. */
  readonly #gone: Promise<void>;
  #phase: Phase = 'waiting';
  #isWhole = false;
  #player: Player | undefined;
  #timer: Disposable | undefined;
  #deadline: Disposable | undefined;
  #stuckSince: number | undefined;
  #dropped = 0;
  #stopping: Promise<void> | undefined;
  #resolve: (ending: UtteranceEnding) => void = () => {};
  #isOpen: (open: boolean) => void = () => {};

  constructor(options: UtteranceOptions) {
    this.#options = options;
    this.#feed = new Feed(options.gain);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.opened = new Promise((resolve) => {
      this.#isOpen = resolve;
    });
    this.#gone = this.#live();
  }

  /** `pcm` is the utterance's from here on. */
  write(pcm: Int16Array): boolean {
    if (this.#isWhole || this.#phase === 'stopping' || this.#phase === 'over') return false;
    if (this.#feed.queuedMs + pcm.length / (PLAYED_HZ / 1000) > this.#options.maxQueuedMs) {
      this.#dropped++;
      return false;
    }
    this.#feed.push(pcm);
    this.#pump();
    return true;
  }

  end(): void {
    this.#isWhole = true;
    this.#pump();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  get aheadMs(): number {
    if (this.#phase === 'over') return 0;
    const unheardMs = this.#feed.soundMs - this.#feed.heardMs(this.#options.clock.now());
    return Math.round(this.#feed.queuedMs + unheardMs);
  }

  /** Writes that were refused because the queue was full. */
  get dropped(): number {
    return this.#dropped;
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** From a free card to one that is free again. */
  async #live(): Promise<void> {
    const { clock, after, open, onUnderrun } = this.#options;
    const isFree = await within(
      clock,
      FREE_MS,
      after.then(() => true),
    );
    if (this.#phase !== 'waiting') return;
    if (!isFree) return this.#fail(new Fault('AUDIO_BUSY', 'the last player does not end'));
    let player: Player;
    try {
      player = await open({
        opened: () => this.#opened(),
        underrun: (ms) => {
          this.#feed.pace.underrun(ms, clock.now());
          onUnderrun(ms);
        },
      });
    } catch (error) {
      return this.#fail(error instanceof Fault ? error : new Fault('AUDIO_LOST', messageOf(error)));
    }
    if (this.#phase === 'waiting') {
      this.#player = player;
      this.#deadline = clock.timer(QUIET_MS, () => this.#running());
      this.#pump();
    } else await player[Symbol.asyncDispose]();
    this.#over(await player.ended);
  }

  #opened(): void {
    this.#isOpen(true);
    this.#running();
  }

  #running(): void {
    if (this.#phase === 'stopping' || this.#phase === 'over') return;
    this.#feed.pace.opened(this.#options.clock.now());
    this.#deadline?.[Symbol.dispose]();
    if (this.#phase === 'draining') this.#expectEnd();
    else this.#pump();
  }

  /** Feeds what the card needs now, and comes again when it needs more. */
  #pump(): void {
    this.#timer?.[Symbol.dispose]();
    const { clock, startBufferMs } = this.#options;
    const player = this.#player;
    if (!player || (this.#phase !== 'waiting' && this.#phase !== 'playing')) return;
    if (this.#phase === 'waiting') {
      if (this.#feed.queuedMs === 0 && this.#isWhole) {
        this.#over({ how: 'drained' });
        void player[Symbol.asyncDispose]();
        return;
      }
      if (this.#feed.queuedMs === 0 || (this.#feed.queuedMs < startBufferMs && !this.#isWhole)) return;
      this.#phase = 'playing';
    }
    const now = clock.now();
    if (this.#isStuck(player, now)) return;
    this.#feed.step(player, now, this.#isWhole);
    if (this.#isWhole && this.#feed.queuedMs === 0) {
      this.#drain(player, now);
      return;
    }
    const waitMs = this.#feed.waitMs(now, this.#isWhole);
    if (waitMs !== undefined) this.#timer = clock.timer(waitMs, () => this.#pump());
  }

  /** The player has all: it ends by itself when the last sample has left, or is ended. */
  #drain(player: Player, now: number): void {
    this.#phase = 'draining';
    player.end();
    this.#feed.pace.ending(now);
    this.#expectEnd();
  }

  #expectEnd(): void {
    const leftMs = this.#feed.fedAheadMs(this.#options.clock.now());
    const late = new Fault('AUDIO_STALLED', 'the card did not play to the end in time');
    this.#deadline?.[Symbol.dispose]();
    this.#deadline = this.#options.clock.timer(leftMs + DRAIN_MS, () => this.#player?.fail(late));
  }

  #isStuck(player: Player, now: number): boolean {
    if (player.waitingBytes === 0) this.#stuckSince = undefined;
    else this.#stuckSince ??= now;
    if (this.#stuckSince === undefined || now - this.#stuckSince < STALL_MS) return false;
    player.fail(new Fault('AUDIO_STALLED', `the card took no sound for ${STALL_MS / 1000} s`));
    return true;
  }

  async #stop(): Promise<void> {
    if (this.#phase !== 'over') {
      this.#phase = 'stopping';
      this.#timer?.[Symbol.dispose]();
      this.#feed.clear();
      if (this.#player) await this.#player[Symbol.asyncDispose]();
      else this.#over({ how: 'stopped' });
    }
    await this.#gone;
  }

  #fail(fault: Fault): void {
    this.#over({ how: 'failed', fault });
  }

  #over(ending: PlayerEnding): void {
    if (this.#phase === 'over') return;
    const heard =
      ending.how === 'drained' ? this.#feed.soundMs : this.#feed.heardMs(this.#options.clock.now());
    const heardMs = Math.round(heard);
    const isAsked = this.#phase === 'stopping';
    this.#phase = 'over';
    this.#timer?.[Symbol.dispose]();
    this.#deadline?.[Symbol.dispose]();
    this.#feed.clear();
    this.#isOpen(false);
    if (ending.how === 'drained') this.#resolve({ how: 'finished', heardMs });
    else if (ending.how === 'failed' && !isAsked) this.#resolve({ ...ending, heardMs });
    else this.#resolve({ how: 'stopped', heardMs });
  }
}
