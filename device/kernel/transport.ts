import type { Ending } from './service.ts';

/**
 * Transport: JSON-RPC moves only through these. One message per `send` and per `onMessage`, as UTF-8 bytes of one
 * JSON value without a newline. Who makes a transport disposes it; disposing ends it politely, then hard.
 */
export interface Transport extends AsyncDisposable {
  /** Sends one message. `false`: it was not taken, since the other side is gone or reads nothing. */
  send(message: Uint8Array | string): boolean;
  /** Set by whoever reads. Nothing is read before it is set, and nothing is lost; messages come in order. */
  set onMessage(listener: (message: Buffer) => void);
  readonly ended: Promise<Ending>;
}
