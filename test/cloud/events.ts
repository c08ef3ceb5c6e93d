import type { Tool } from './message.ts';

export type Side = 'cloud' | 'appliance';

/** What a cloud sees, as data: for live traces, for `--serve`, and for scenarios that wait for it. */
export type CloudEvent =
  | { readonly event: 'listening' | 'deaf' }
  | { readonly event: 'dialled'; readonly dial: number }
  | { readonly event: 'refused'; readonly how: string }
  | { readonly event: 'connected'; readonly connection: number }
  | { readonly event: 'initialized'; readonly connection: number; readonly server: string }
  | { readonly event: 'listed'; readonly connection: number; readonly tools: readonly Tool[] }
  | { readonly event: 'sent'; readonly connection: number; readonly what: string }
  | { readonly event: 'answered'; readonly connection: number; readonly what: string; readonly ms: number }
  | { readonly event: 'closed'; readonly connection: number; readonly code: number; readonly by: Side }
  | { readonly event: 'complaint'; readonly connection: number; readonly why: string };

/** An event with its moment: ms since the cloud started. */
export type Timed<E> = E & { readonly at: number };
