import type { Side } from '../events.ts';

/** How a question ends, by who says it. */
export type ListenMode = 'auto' | 'manual' | 'realtime';

/** What the voice part of a bench cloud sees and does, as data. `session` numbers the sockets, 1 being the first. */
export type VoiceEvent =
  /** A POST to the activation server, and to its `activate`; `answer` is what went back. */
  | { readonly event: 'activation-asked'; readonly deviceId: string; readonly answer: string }
  | { readonly event: 'activation-polled'; readonly status: number }
  | { readonly event: 'dialled'; readonly dial: number; readonly headers: DialHeaders }
  | { readonly event: 'refused'; readonly how: string }
  | ({ readonly session: number } & SessionEvent);

export type SessionEvent =
  | { readonly event: 'connected' }
  | { readonly event: 'hello'; readonly hello: Readonly<Record<string, unknown>> }
  | { readonly event: 'hello-reply' }
  | { readonly event: 'listen-start'; readonly mode: ListenMode }
  | { readonly event: 'listen-stop' }
  | { readonly event: 'listen-detect'; readonly text: string }
  /** A packet of sound came in; `number` counts from 1 within one listening, `loud` where there is something in it. */
  | { readonly event: 'audio'; readonly number: number; readonly bytes: number; readonly loud: boolean }
  /** The question is over: what was heard of it, with the times of its first and last packet. */
  | ({ readonly event: 'question-end'; readonly by: 'listen-stop' | 'silence' } & Heard)
  /** What it means; no text: nothing was understood. */
  | { readonly event: 'understood'; readonly text?: string }
  | { readonly event: 'tool-called'; readonly tool: string; readonly ms: number }
  | { readonly event: 'answer'; readonly text: string; readonly known: boolean }
  | { readonly event: 'tts-start' }
  | { readonly event: 'sentence-start'; readonly text: string }
  /** A packet of the answer went out; `number` counts from 1, `of` is how many there are in all. */
  | { readonly event: 'packet-sent'; readonly number: number; readonly of: number }
  | { readonly event: 'tts-stop' }
  /** The appliance cut the answer off. */
  | { readonly event: 'abort'; readonly reason?: string }
  /** The cloud knows the appliance's own tools. */
  | { readonly event: 'device-tools'; readonly names: readonly string[] }
  | { readonly event: 'device-tool-called'; readonly tool: string; readonly ms: number }
  | { readonly event: 'closed'; readonly code: number; readonly by: Side }
  | { readonly event: 'complaint'; readonly why: string };

export interface Heard {
  readonly packets: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The headers of a dial, as they came. */
export interface DialHeaders {
  readonly deviceId?: string;
  readonly clientId?: string;
  readonly protocolVersion?: string;
  readonly authorization?: string;
}
