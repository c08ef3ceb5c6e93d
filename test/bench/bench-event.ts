import type { CloudEvent } from '../cloud/events.ts';

/** What a bench run tells: the cloud's own events, and what the bench does and finds. */
export type BenchEvent =
  | CloudEvent
  | { readonly event: 'serving'; readonly endpoint: string }
  | { readonly event: 'started'; readonly pid: number }
  | { readonly event: 'step'; readonly ja: string; readonly en: string }
  | { readonly event: 'asked'; readonly question: string }
  | { readonly event: 'said'; readonly text: string; readonly tool: string | null; readonly ms: number }
  | { readonly event: 'recovered'; readonly from: string; readonly ms: number }
  | { readonly event: 'killed'; readonly server: string; readonly pid: number }
  | { readonly event: 'stopped'; readonly code: number | null; readonly ms: number }
  | { readonly event: 'verdict'; readonly pass: boolean; readonly why?: string };

/** Trace: where a bench run tells what happens, each event with the ms since the run began. */
export type Trace = (event: BenchEvent) => void;
