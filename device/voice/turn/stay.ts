import type { Turn } from './words.ts';

/** Longest stays, in ms: a phase that lasts longer is left with `late`. Meanings are those of the settings of `voice`. */
export interface Stays {
  readonly connectMs: number;
  readonly listenMs: number;
  readonly thinkMs: number;
  /** Without a packet and with nothing left to play. */
  readonly speakMs: number;
  /** An answer in all. */
  readonly answerMs: number;
  readonly guardMs: number;
}

/** A session outlives its turn for so long, so that the next question finds its context. */
const LINGER_MS = 30_000;
/** What is queued is played in real time; beyond it the speaker has this long to say that it is done. */
const PLAY_OUT_MS = 5000;

/** What is known of an answer that plays. */
export interface Playing {
  /** Ms since the last packet of the answer, or since it was announced. */
  readonly quietMs: number;
  /** Some of it has come. */
  readonly begun: boolean;
  /** A tool of ours works for it: some clouds announce an answer, or say half of it, before they call the tool. */
  readonly working: boolean;
  /** Ms that are queued and not heard yet. */
  readonly aheadMs: number;
}

/** How much longer the phase may last, in ms, when it has lasted `spentMs`; 0 or less: it is late. */
export function remainingMs(
  { phase, online }: Turn,
  stays: Stays,
  spentMs: number,
  playing: Playing,
): number {
  switch (phase.at) {
    case 'idle':
      return online ? LINGER_MS - spentMs : Number.POSITIVE_INFINITY;
    case 'connecting':
      return stays.connectMs - spentMs;
    case 'listening':
      return stays.listenMs - spentMs;
    case 'thinking':
      return stays.thinkMs - spentMs;
    case 'guard':
      return stays.guardMs - spentMs;
    case 'speaking': {
      // Whatever the speaker says that it has left.
      const mostMs = stays.answerMs - spentMs;
      if (phase.over) return Math.min(Math.max(playing.aheadMs, PLAY_OUT_MS - spentMs), mostMs);
      const patienceMs = playing.begun && !playing.working ? stays.speakMs : stays.thinkMs;
      const silence = Math.max(patienceMs - playing.quietMs, playing.aheadMs);
      return Math.min(silence, mostMs);
    }
  }
}
