import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Proof } from '#kernel/service.ts';
import { earconOf } from './earcon.ts';
import { type OpenPlayer, openPlayer, PERIOD_MS, type PlayerOptions } from './player.ts';
import { type Earcon, PLAYED_HZ, type Speaker, type UtteranceEnding } from './speaker.ts';
import { CardUtterance } from './utterance.ts';
import { gainOf } from './volume.ts';

export interface CardSpeakerOptions {
  readonly player: PlayerOptions;
  /** Loudness at first, 0 to 100. */
  readonly volume: number;
  /** False: no chime is played. */
  readonly sounds: boolean;
  /** Sound of one utterance that may wait, in ms. Default 60,000. */
  readonly maxQueuedMs?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** How players are started; a test gives its own. */
  readonly open?: (
    player: PlayerOptions,
    clock: Clock,
    ...rest: Parameters<OpenPlayer>
  ) => ReturnType<OpenPlayer>;
}

const MAX_QUEUED_MS = 60_000;
/** A proof that fails is told by the service, once per start. */
type Purpose = 'answer' | 'announcement' | 'chime' | 'proof';
/** Two periods of silence show that a card plays, unheard. */
const PROOF = (2 * PERIOD_MS * PLAYED_HZ) / 1000;
const MAX_TRIES = 5;

/**
 * Speaker on a card: stable for the life of the appliance. Each utterance opens the card anew, also while the service
 * has no run: whether the card is there is found out, not remembered.
 */
export class CardSpeaker implements Speaker {
  /** For the next utterance; what plays keeps its own. */
  player: PlayerOptions;
  sounds: boolean;
  /** The last thing that proved that the card plays. */
  proof: Proof | undefined;
  /** Times that the card ran dry, and writes that found the queue full, since the start. */
  underruns = 0;
  dropped = 0;
  /** An utterance found the card not there, or lost it. */
  onFault: (fault: Fault) => void = () => {};
  readonly #options: CardSpeakerOptions;
  readonly #chimes = new Map<Earcon, Int16Array>();
  #volume = 0;
  #gain = 0;
  /** Stays when it is over: whoever comes next waits until its player is gone. */
  #last: { readonly utterance: CardUtterance; readonly purpose: Purpose } | undefined;

  constructor(options: CardSpeakerOptions) {
    this.#options = options;
    this.player = options.player;
    this.sounds = options.sounds;
    this.volume = options.volume;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = Math.min(Math.max(volume, 0), 100);
    this.#gain = gainOf(volume);
  }

  begin({ startBufferMs }: { readonly startBufferMs: number }): CardUtterance {
    return this.#begin(startBufferMs, 'answer');
  }

  /** A newer chime takes the place of one that still sounds. */
  async chime(name: Earcon): Promise<boolean> {
    if (!this.sounds || this.#isTelling) return false;
    let pcm = this.#chimes.get(name);
    if (!pcm) {
      pcm = earconOf(name);
      this.#chimes.set(name, pcm);
    }
    return (await this.#play(pcm, 'chime')).how === 'finished';
  }

  /** What the appliance has to tell of itself. A newer one takes its place, and an answer too. `false`: not heard whole. */
  async announce(pcm: Int16Array): Promise<boolean> {
    if (this.#playing && this.#last?.purpose === 'answer') return false;
    return (await this.#play(pcm, 'announcement')).how === 'finished';
  }

  /** Ends a chime and an announcement, and lets an answer alone. Resolves when the card is free of it. */
  async hush(): Promise<void> {
    const { utterance, purpose } = this.#last ?? {};
    if (purpose === 'chime' || purpose === 'announcement') await utterance?.stop();
  }

  /** Silence now. Resolves when the card is free. */
  async stop(): Promise<void> {
    await this.#last?.utterance.stop();
  }

  /**
   * Proves that the card plays, with a moment of silence where nothing plays already. Rejects with the Fault that says
   * why it does not.
   */
  async prove(signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
      const playing = this.#playing;
      if (playing) {
        if (await playing.opened) return;
        const ending = await playing.ended;
        if (ending.how === 'failed') throw ending.fault;
      } else {
        const ending = await this.#play(new Int16Array(PROOF), 'proof');
        if (ending.how === 'finished') return;
        if (ending.how === 'failed') throw ending.fault;
      }
    }
    throw new Fault('AUDIO_BUSY', 'the speaker was not free for a proof');
  }

  get #playing(): CardUtterance | undefined {
    const utterance = this.#last?.utterance;
    return utterance?.isOver ? undefined : utterance;
  }

  /** Words are heard, which no chime may cut. */
  get #isTelling(): boolean {
    const purpose = this.#playing && this.#last?.purpose;
    return purpose === 'answer' || purpose === 'announcement';
  }

  #play(pcm: Int16Array, purpose: Purpose): Promise<UtteranceEnding> {
    const utterance = this.#begin(0, purpose);
    utterance.write(pcm);
    utterance.end();
    return utterance.ended;
  }

  #begin(startBufferMs: number, purpose: Purpose): CardUtterance {
    const { clock, log, open = openPlayer, maxQueuedMs = MAX_QUEUED_MS } = this.#options;
    const { player } = this;
    const utterance = new CardUtterance({
      open: (listener) => open(player, clock, listener),
      after: this.stop(),
      startBufferMs,
      maxQueuedMs,
      gain: () => this.#gain,
      onUnderrun: (ms) => {
        this.underruns++;
        log.debug('underrun', { ms });
      },
      clock,
    });
    this.#last = { utterance, purpose };
    void utterance.opened.then((isOpen) => {
      if (isOpen) this.proof = { what: 'card opened', at: clock.wall() };
    });
    void utterance.ended.then((ending) => {
      this.dropped += utterance.dropped;
      if (utterance.dropped > 0) log.warn('sound_dropped', { writes: utterance.dropped });
      if (ending.how === 'finished') this.proof = { what: 'last sample played', at: clock.wall() };
      if (ending.how === 'failed' && purpose !== 'proof') this.#lost(ending.fault);
    });
    return utterance;
  }

  #lost(fault: Fault): void {
    this.#options.log.warn('utterance_failed', { code: fault.code, reason: fault.message });
    this.onFault(fault);
  }
}
