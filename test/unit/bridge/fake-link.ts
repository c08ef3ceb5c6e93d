import type { Link } from '../../../device/kernel/link.ts';
import type { LinkEnding } from '../../../device/kernel/link-ending.ts';

/** A JSON-RPC message as it went over the line. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** FakeLink: a line to the cloud without a socket. The test is the cloud: it speaks bytes and reads what was sent. */
export class FakeLink implements Link {
  readonly ended: Promise<LinkEnding>;
  /** What was sent, as text, in order. */
  readonly sent: string[] = [];
  /** Messages that were offered after the line had ended. */
  refused = 0;
  closedWith: number | undefined;
  corks = 0;
  #end: (ending: LinkEnding) => void = () => {};
  #open = true;
  #listener: (message: Buffer) => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  set onMessage(listener: (message: Buffer) => void) {
    this.#listener = listener;
  }

  send(message: Uint8Array | string): boolean {
    if (this.#open) this.sent.push(typeof message === 'string' ? message : Buffer.from(message).toString());
    else this.refused++;
    return this.#open;
  }

  lastSeen(): number {
    return 0;
  }

  cork(): void {
    this.corks++;
  }

  uncork(): void {
    this.corks--;
  }

  async close(code: number): Promise<void> {
    this.closedWith = code;
    this.drop({ asked: true, code: 'STOPPED', reason: `closed ${code}` });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(1000);
  }

  /** The cloud says something: text and bytes as they are, anything else as JSON. */
  say(message: unknown): void {
    if (Buffer.isBuffer(message)) this.#listener(message);
    else this.#listener(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  }

  /** The line ends. */
  drop(ending: LinkEnding = { asked: false, code: 'NET_DOWN', reason: 'last close 1006' }): void {
    this.#open = false;
    this.#end(ending);
  }

  /** What was sent since the last time this was asked. */
  take(): Message[] {
    return this.sent.splice(0).map((text) => JSON.parse(text) as Message);
  }
}
