import type { CloudMessage } from './session.ts';

type Item =
  | { readonly kind: 'audio'; readonly packet: Uint8Array }
  | { readonly kind: 'message'; readonly message: CloudMessage; readonly size: number };

/** What may wait for its listeners: ten seconds of sound, or 16 of the largest texts. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 1 << 20;

/** Inbox: keeps what the cloud says until both listeners are there, then hands everything on in its order. */
export class Inbox {
  readonly #overflow: () => void;
  #waiting: Item[] = [];
  #bytes = 0;
  #listened = false;
  #onAudio: ((packet: Uint8Array) => void) | undefined;
  #onMessage: ((message: CloudMessage) => void) | undefined;

  /** `overflow` is told of each item that found no room. */
  constructor(overflow: () => void) {
    this.#overflow = overflow;
  }

  set onAudio(listener: (packet: Uint8Array) => void) {
    this.#onAudio = listener;
    this.#flush();
  }

  set onMessage(listener: (message: CloudMessage) => void) {
    this.#onMessage = listener;
    this.#flush();
  }

  audio(packet: Uint8Array): void {
    this.#take({ kind: 'audio', packet });
  }

  /** `size` is what the message took on the line, in bytes. */
  message(message: CloudMessage, size: number): void {
    this.#take({ kind: 'message', message, size });
  }

  /** Nothing is handed on any more. */
  close(): void {
    this.#waiting = [];
    this.#onAudio = () => {};
    this.#onMessage = () => {};
    this.#listened = true;
  }

  #take(item: Item): void {
    const size = sizeOf(item);
    if (this.#listened) this.#give(item);
    // The start of what was said matters more than its end: what comes too late for the room is dropped.
    else if (this.#waiting.length >= MAX_WAITING || this.#bytes + size > MAX_WAITING_BYTES) this.#overflow();
    else {
      this.#bytes += size;
      this.#waiting.push(item);
    }
  }

  #flush(): void {
    if (this.#listened || !this.#onAudio || !this.#onMessage) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#listened = true;
    for (const item of waiting) this.#give(item);
  }

  #give(item: Item): void {
    if (item.kind === 'audio') this.#onAudio?.(item.packet);
    else this.#onMessage?.(item.message);
  }
}

function sizeOf(item: Item): number {
  return item.kind === 'audio' ? item.packet.length : item.size;
}
