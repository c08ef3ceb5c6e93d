import type { Code } from '#kernel/codes.ts';
import type { ApplianceMessage, ListenMode } from '../session/session.ts';

/** Who wants to be heard. A wake word is told to the cloud by name. */
export type Caller = { readonly by: 'button' } | { readonly by: 'wake'; readonly word: string };

/** What a session is opened for. */
export type Purpose =
  /** `over`: the question was over before the cloud was there; it is sent all the same. */
  | { readonly kind: 'talk'; readonly caller: Caller; readonly over?: boolean }
  | { readonly kind: 'say'; readonly text: string };

/**
 * Phase: where a turn stands (cloud protocol 2.7). `thinking` begins with the question's end; `guard` is the pause after
 * an answer in which the room may still echo it.
 */
export type Phase =
  | { readonly at: 'idle' }
  | { readonly at: 'connecting'; readonly purpose: Purpose }
  | { readonly at: 'listening' }
  | { readonly at: 'thinking' }
  | {
      readonly at: 'speaking';
      /** The cloud has said all, or is gone: what is queued is played to its end. */
      readonly over: boolean;
    }
  | { readonly at: 'guard' };

export interface Turn {
  readonly phase: Phase;
  /** A session is open. It may outlive a turn for a while, so that the next question finds its context. */
  readonly online: boolean;
  /** Nothing may be captured. */
  readonly muted: boolean;
  readonly mode: ListenMode;
  /** This exchange was typed: when it is answered nobody waits to be heard. */
  readonly typed: boolean;
  /** We have interrupted an answer and the cloud has not said yet that it stopped: what comes of it is not played. */
  readonly interrupted: boolean;
}

export type TurnEvent =
  /** Somebody wants to talk, or to end what goes on. */
  | { readonly type: 'called'; readonly caller: Caller }
  /** The press that called was the first of several: what it began is not wanted. */
  | { readonly type: 'withdrawn' }
  /** The question is over: the button was let go, or no more speech is heard. */
  | { readonly type: 'finished' }
  /** End everything. */
  | { readonly type: 'stopped' }
  | { readonly type: 'typed'; readonly text: string }
  /** Nothing comes from the microphone, and did not for longer than it takes to start it again. */
  | { readonly type: 'deaf' }
  | { readonly type: 'opened' }
  /** The session could not be opened, or has ended. `code` absent: a normal end. */
  | { readonly type: 'closed'; readonly code?: Code }
  | { readonly type: 'recognised' }
  | { readonly type: 'answer started' }
  | { readonly type: 'answer over' }
  /** The last sample has left the speaker, or cannot be played. */
  | { readonly type: 'played' }
  | { readonly type: 'muted'; readonly on: boolean }
  /** The phase has lasted as long as it may. */
  | { readonly type: 'late' };

/** What the runner has to do, in order. */
export type Effect =
  | { readonly do: 'dial' }
  | { readonly do: 'hang up' }
  | { readonly do: 'send'; readonly message: ApplianceMessage }
  /** Record; packets wait until `announced`. */
  | { readonly do: 'record' }
  /** The cloud knows that we listen: what waits may leave, and what follows. */
  | { readonly do: 'announced' }
  /** `keep`: what was recorded is still sent, now or when `announced`. */
  | { readonly do: 'stop recording'; readonly keep: boolean }
  /** An answer begins; where the last one is still being played out, behind it. */
  | { readonly do: 'play' }
  /** No more sound comes: play to the last sample. */
  | { readonly do: 'play out' }
  | { readonly do: 'silence' }
  /** Tell whoever watches that the exchange has failed. */
  | { readonly do: 'fail'; readonly code: Code }
  | { readonly do: 'refuse muted' };

export const IDLE: Phase = { at: 'idle' };

/** The turn of an appliance that has just started. */
export function freshTurn(mode: ListenMode, muted: boolean): Turn {
  return { phase: IDLE, online: false, muted, mode, typed: false, interrupted: false };
}
