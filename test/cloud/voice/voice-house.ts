import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Answer } from '../brain/brain.ts';
import type { Asking } from '../brain/mind.ts';
import type { Side } from '../events.ts';
import type { Speech } from './speech.ts';
import type { DialHeaders, SessionEvent } from './voice-event.ts';
import type { VoiceFaults } from './voice-faults.ts';

/** What all sessions of a cloud share. */
export interface VoiceHouse {
  readonly selfHosted: boolean;
  /** When the cloud speaks MCP: before or after its reply to the hello, or not at all. */
  readonly mcp: 'before' | 'after' | 'never';
  readonly speech: Speech;
  readonly dice: (sides: number) => number;
  readonly endpointMs: number;
  readonly quietMs: number;
  readonly graceMs: number;
  readonly now: () => number;
}

/** How a thought is followed: the tools that it takes, its sentences, and its end where nobody waits any more. */
export interface Following extends Pick<Required<Asking>, 'signal' | 'onSentence'> {
  readonly onTool: (tool: string) => void;
}

export interface VoiceSessionOptions extends VoiceHouse {
  readonly number: number;
  readonly socket: WebSocket;
  readonly raw: Socket;
  readonly headers: DialHeaders;
  readonly faults: VoiceFaults;
  readonly think: (question: string, following: Following) => Promise<Answer>;
  readonly onEvent: (event: SessionEvent) => void;
}

/** How a session ended: 1006 is an end without a close frame. */
export interface SessionClosed {
  readonly code: number;
  readonly reason: string;
  readonly by: Side;
}
