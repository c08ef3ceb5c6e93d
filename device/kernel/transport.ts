import type { Ending } from './service.ts';

/**
 * Transport: JSON-RPC moves only through these. One message per `send` and per `onMessage`, as UTF-8 bytes of one
 * JSON value without a newline. Who makes a transport disposes it; disposing ends it politely, then hard.
 */
export interface Transport extends AsyncDisposable {
  /** Sends one message. After the end it does nothing: whoever waits for an answer watches `ended`. */
  send(message: Uint8Array | string): void;
  /** Set once, before the first message can arrive. Messages come in order. */
  onMessage: (message: Buffer) => void;
  readonly ended: Promise<Ending>;
}
