import type { LinkEnding } from '#kernel/link-ending.ts';

/** What the cloud says on the voice socket, checked (cloud protocol 2.4). What is none of these is counted and dropped. */
export type CloudMessage =
  | { readonly type: 'stt'; readonly text: string }
  | { readonly type: 'llm'; readonly emotion: string; readonly text: string }
  | { readonly type: 'tts'; readonly state: 'start' }
  | { readonly type: 'tts'; readonly state: 'stop' }
  | { readonly type: 'tts'; readonly state: 'sentence_start'; readonly text: string }
  | { readonly type: 'mcp'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'system'; readonly command: string }
  | { readonly type: 'alert'; readonly status: string; readonly message: string; readonly emotion: string }
  | { readonly type: 'goodbye' };

/** What we say (cloud protocol 2.3); `session_id` is added. */
export type ApplianceMessage =
  | { readonly type: 'listen'; readonly state: 'start'; readonly mode: ListenMode }
  | { readonly type: 'listen'; readonly state: 'stop' }
  | { readonly type: 'listen'; readonly state: 'detect'; readonly text: string }
  | { readonly type: 'abort'; readonly reason?: 'wake_word_detected' }
  | { readonly type: 'mcp'; readonly payload: Readonly<Record<string, unknown>> };

/** auto: the cloud hears the end of a question; manual: `listen stop` says it; realtime: both speak at a time. */
export type ListenMode = 'auto' | 'manual' | 'realtime';

/** Session: one voice socket after its hello, until it ends. Single use. Disposing closes it with 1000. */
export interface Session extends AsyncDisposable {
  /** As the cloud gave it; '' where it gave none. */
  readonly id: string;
  /** `false`: it was not taken, the socket is gone. */
  send(message: ApplianceMessage): boolean;
  /** One Opus packet. */
  sendAudio(packet: Uint8Array): boolean;
  /** Set both before anything is awaited: nothing that came with the hello is lost, and order is kept. */
  set onAudio(listener: (packet: Uint8Array) => void);
  set onMessage(listener: (message: CloudMessage) => void);
  readonly ended: Promise<LinkEnding>;
  /** When bytes last came (wall clock, ms). */
  lastSeen(): number;
}
