import type { Welcome } from '../welcome.ts';

/** What goes wrong with a session. Nothing in it: all is well. */
export interface VoiceFaults {
  /** How the upgrade is met: `{ status: 401 }`, `{ delayMs: … }`, `{ reset: true }` … */
  readonly welcome?: Welcome;
  /** `never` comes; the first is `dropped`, the next one answered; the reply comes `twice`; it has `no session_id`. */
  readonly hello?: 'never' | 'dropped' | 'twice' | 'no session_id';
  /** The reply to the hello comes so much later; ms. */
  readonly helloDelayMs?: number;
  /** Said as soon as the socket is open, as it is: a self-hosted cloud speaks plain sentences (cloud protocol 2.1). */
  readonly firstText?: string;
  /** Ends the session at this moment. Code 1006 cuts the line without a close frame. */
  readonly close?: { readonly at: Moment; readonly code: number; readonly reason?: string };
  /** So many packets of the answer go out before `tts start`. */
  readonly packetsBeforeStart?: number;
  /**
   * `tts stop` never comes, so many packets before the end of the answer, so much later than it should, or so long
   * after the last packet instead of the usual 420 ms.
   */
  readonly stop?:
    | 'never'
    | { readonly packetsEarly: number }
    | { readonly lateMs: number }
    | { readonly afterMs: number };
  /** Each packet is late by 0 to so many ms. */
  readonly jitterMs?: number;
  /** After so many packets nothing of the answer comes any more, `tts stop` neither. */
  readonly stallAfter?: number;
  /** Put between the packets of the answer, one before each, in turn: what must not harm what is around it. */
  readonly intruders?: readonly Intruder[];
}

/** Moments of a session at which it can be made to end. `answer`: in the middle of one. */
export type Moment = 'open' | 'hello' | 'listen' | 'thinking' | 'answer' | 'tts-stop';

export type Intruder =
  | 'damaged packet'
  | 'oversized packet'
  | 'wrong length'
  | 'empty frame'
  | 'not JSON'
  | 'not an object'
  | 'no type'
  | 'unknown type'
  | 'unknown state'
  | 'wrong field';

/** The text intruders, as they go over the wire. */
export const ODD_TEXTS: Partial<Record<Intruder, string>> = {
  'not JSON': '认证失败',
  'not an object': '[1,2]',
  'no type': '{"state":"start"}',
  'unknown type': '{"type":"glyph_push","data":{}}',
  'unknown state': '{"type":"tts","state":"sentence_end","text":"x"}',
  'wrong field': '{"type":"llm","emotion":7,"text":null}',
};
