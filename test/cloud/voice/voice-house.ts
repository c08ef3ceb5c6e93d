import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Answer } from '../brain/brain.ts';
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
  readonly think: (question: string, session: number, onTool: (tool: string) => void) => Promise<Answer>;
}

export interface VoiceSessionOptions extends VoiceHouse {
  readonly number: number;
  readonly socket: WebSocket;
  readonly raw: Socket;
  readonly headers: DialHeaders;
  readonly faults: VoiceFaults;
  readonly onEvent: (event: SessionEvent) => void;
}

/** How a session ended: 1006 is an end without a close frame. */
export interface SessionClosed {
  readonly code: number;
  readonly reason: string;
  readonly by: Side;
}
