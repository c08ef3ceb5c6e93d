import type { Fault } from '#kernel/fault.ts';

/** Samples in a second of everything that is played: one channel, 16 bit. What cards speak natively (audio notes 3). */
export const PLAYED_HZ = 48_000;

/** How an utterance ended. `heardMs`: what left the card, as near as can be known. */
export type UtteranceEnding =
  | { readonly how: 'finished'; readonly heardMs: number }
  | { readonly how: 'stopped'; readonly heardMs: number }
  | { readonly how: 'failed'; readonly heardMs: number; readonly fault: Fault };

/** Utterance: one run of sound from start to end, played by one process of its own. */
export interface Utterance {
  /**
   * Queues sound; `pcm` is kept, so it may not be written to again. `false`: this was dropped, since the queue is full
   * (`maxQueuedMs`; counted) or the utterance has its end.
   */
  write(pcm: Int16Array): boolean;
  /** No more comes; what is queued is played to its last sample, and `ended` then says `finished`. */
  end(): void;
  /** Silence within 50 ms, whatever is queued. Resolves when the card is free. */
  stop(): Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<UtteranceEnding>;
  /** Ms that were written and have not been heard yet. */
  readonly aheadMs: number;
}

/** Speaker: the one owner of the card's playback side; one utterance at a time. */
export interface Speaker {
  /** Begins an utterance; one that still plays is stopped first. It sounds once `startBufferMs` are there, or at `end()`. */
  begin(options: { readonly startBufferMs: number }): Utterance;
  /** A short sound made at start-up. Not played (`false`) while an utterance plays. Resolves when it was heard. */
  chime(name: Earcon): Promise<boolean>;
  /** 0 to 100, on a curve that the ear takes as even; from now on, also for what is queued. */
  volume: number;
}

/** The sounds of user-experience notes 3: every state that a person has to know of has one. */
export type Earcon =
  | 'ready'
  | 'setup'
  | 'wake'
  | 'mute'
  | 'unmute'
  | 'no-network'
  | 'key-refused'
  | 'fault'
  | 'rolled-back'
  | 'tick';
