import type { CloudEvent } from '../cloud/events.ts';
import type { VoiceEvent } from '../cloud/voice/voice-event.ts';
import type { TurnStep } from './voice-turn.ts';

/** What a bench run tells: the cloud's own events, and what the bench does and finds. */
export type BenchEvent =
  | CloudEvent
  | {
      readonly event: 'serving';
      readonly endpoint: string;
      /** Of the voice part, where there is one: its socket and where an appliance registers. */
      readonly voice?: string;
      readonly voice_token?: string;
      readonly activation?: string;
    }
  | { readonly event: 'started'; readonly pid: number }
  | { readonly event: 'step'; readonly ja: string; readonly en: string }
  | { readonly event: 'asked'; readonly question: string }
  | { readonly event: 'said'; readonly text: string; readonly tool: string | null; readonly ms: number }
  /** What the voice part of a cloud that is served sees and does. */
  | { readonly event: 'voice'; readonly of: VoiceEvent }
  /** A step of a spoken turn, with the ms since the button was pressed. */
  | { readonly event: 'turn'; readonly step: TurnStep; readonly ms: number; readonly text?: string }
  /** How a soak stands. `ms`: from the press to the last word, the median of the turns so far. */
  | {
      readonly event: 'soaked';
      readonly turns: number;
      readonly ms: number;
      readonly lost: number;
      readonly xruns: number;
      readonly growthKb: number;
    }
  /** From the press to the last sample that still left the speaker. */
  | { readonly event: 'interrupted'; readonly ms: number }
  | { readonly event: 'recovered'; readonly from: string; readonly ms: number }
  | { readonly event: 'killed'; readonly server: string; readonly pid: number }
  | { readonly event: 'stopped'; readonly code: number | null; readonly ms: number }
  | { readonly event: 'verdict'; readonly pass: boolean; readonly why?: string };

/** Trace: where a bench run tells what happens, each event with the ms since the run began. */
export type Trace = (event: BenchEvent) => void;
