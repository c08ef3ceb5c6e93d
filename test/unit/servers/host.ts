import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { serveStreams, type Tool } from '../../../servers/stdio.ts';

export interface Message {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The host's side of a server that runs in this process, over two streams. */
export class Host {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly log: string[] = [];
  readonly ended: Promise<void>;
  readonly #lines: string[] = [];
  readonly #waiting: ((line: string) => void)[] = [];
  #rest = '';

  constructor(tools: readonly Tool[]) {
    this.output.on('data', (chunk: Buffer) => this.#receive(chunk.toString('utf8')));
    this.ended = serveStreams(
      { name: 'test', tools },
      {
        input: this.input,
        output: this.output,
        write: (text) => this.output.write(text),
        log: (line) => this.log.push(line),
      },
    );
  }

  send(...messages: (object | string)[]): void {
    for (const message of messages) {
      this.input.write(
        typeof message === 'string' ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      );
    }
  }

  /** The text of the next line of output. */
  async line(): Promise<string> {
    return this.#lines.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  async answer(): Promise<Message> {
    const message = JSON.parse(await this.line());
    assert.equal(message.jsonrpc, '2.0');
    return message;
  }

  /** Sends one request and takes the next answer for its own. */
  async ask(id: unknown, method: string, params: unknown = {}): Promise<Message> {
    this.send({ id, method, params });
    return this.answer();
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#lines.push(line);
      else waiting(line);
    }
  }
}
