import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { LineCounts } from './decoder.ts';
import type { Greeting } from './greeting.ts';
import type { Message } from './message.ts';
import type { Payload } from './payload.ts';
import type { LinkTiming } from './timing.ts';

/**
 * What has to outlive a link for each event to be delivered once: the boot of the terminal that was last heard, and the
 * number of its last event. `host` names this life of the program to the terminal.
 */
export interface LinkMemory {
  readonly host: string;
  bootId: string | undefined;
  /** Number of the last event that was handed on. */
  heardSeq: number | undefined;
  /** Number of the last command that was sent. */
  sentSeq: number;
}

/** Frames that did no harm and no good. */
export interface LinkCounts extends LineCounts {
  /** Events that came again, since our acknowledgement was lost. */
  repeated: number;
  /** Events and frames of types that this program does not know, or whose content is not what its type says. */
  ignored: number;
  /** How often the greeting began anew on an open port. */
  relinked: number;
}

export interface LinkOptions {
  readonly clock: Clock;
  readonly timing: LinkTiming;
  readonly memory: LinkMemory;
  readonly write: (bytes: Uint8Array) => void;
  /** Greeted: what is `put` from here on is the first that the terminal hears. `rebooted`: it forgot everything. */
  readonly onUp: (greeting: Greeting, rebooted: boolean) => void;
  /** What was `put` and not acknowledged is dropped; the greeting has begun anew, for this reason. */
  readonly onDown: (reason: string) => void;
  readonly onMessage: (message: Message, at: number) => void;
  readonly onReply: (type: number, reply: Payload) => void;
  /** The end: nobody answers (TERMINAL_SILENT), or not in our version (TERMINAL_VERSION). Called once at most. */
  readonly onEnd: (code: Code, reason: string) => void;
}
