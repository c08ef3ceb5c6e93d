import type { Ending } from '../../../device/kernel/service.ts';
import type { Transport } from '../../../device/kernel/transport.ts';
import type { Message } from './fake-link.ts';

/** FakeServer: a server without a process. The test is the server: it reads lines and says lines, as bytes. */
export class FakeServer implements Transport {
  readonly ended: Promise<Ending>;
  /** Every line that it was given. */
  readonly lines: string[] = [];
  /** False: it does not read its input any more. */
  reads = true;
  #end: (ending: Ending) => void = () => {};
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
    if (this.reads) this.lines.push(typeof message === 'string' ? message : Buffer.from(message).toString());
    return this.reads;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end({ asked: true, reason: 'stopped' });
  }

  /** What it was given, as JSON. */
  get got(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  /** The calls that it was given. */
  get calls(): Message[] {
    return this.got.filter(({ method }) => method === 'tools/call');
  }

  /** The ids that it was told nobody waits for. */
  get cancelled(): unknown[] {
    const cancels = this.got.filter(({ method }) => method === 'notifications/cancelled');
    return cancels.map(({ params }) => params?.requestId);
  }

  /** A line of the server: text and bytes as they are, anything else as JSON. */
  say(line: unknown): void {
    if (Buffer.isBuffer(line)) this.#listener(line);
    else this.#listener(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)));
  }

  /** Answers a message that it was given. */
  answer(request: Message | undefined, result: unknown = textResult('done')): void {
    this.say({ jsonrpc: '2.0', id: request?.id, result });
  }

  die(reason = 'exited 3'): void {
    this.reads = false;
    this.#end({ asked: false, code: 'SERVER_EXITED', reason });
  }
}

export function textResult(text: string): object {
  return { content: [{ type: 'text', text }] };
}
