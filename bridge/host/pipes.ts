import type { Readable, Writable } from 'node:stream';
import type { Ending } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import { LineSplitter } from '../lines.ts';

/** A host that does not read its pipe for so many bytes is gone. */
const MAX_WAITING = 64 << 20;
/** One that is so many bytes behind is told nothing but answers and questions. */
const MAX_TOLD = 4 << 20;

export interface PipesOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A line over 4 MiB was skipped; its two ends. */
  readonly tooLong: (head: Buffer, tail: Buffer) => void;
}

/** Our own stdin and stdout as a server of MCP: newline JSON both ways. It ends when the host closes either. */
export class Pipes implements Transport {
  readonly ended: Promise<Ending>;
  readonly #options: PipesOptions;
  #end: (ending: Ending) => void = () => {};
  #over = false;

  constructor(options: PipesOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const over = (reason: string) => () => this.#finish(reason);
    options.input.on('end', over('the host closed our stdin'));
    options.input.on('error', over('stdin cannot be read'));
    options.output.on('error', over('the host closed our stdout'));
  }

  set onMessage(listener: (message: Buffer) => void) {
    const { input, tooLong } = this.#options;
    const splitter = new LineSplitter({ line: listener, tooLong });
    input.on('data', (chunk: Buffer) => {
      if (!this.#over) splitter.push(chunk);
    });
  }

  send(message: Uint8Array | string): boolean {
    const { output } = this.#options;
    if (this.#over) return false;
    if (output.writableLength > MAX_WAITING) {
      this.#finish('the host does not read our stdout');
      return false;
    }
    output.write(
      typeof message === 'string' ? `${message}\n` : Buffer.concat([message, NEWLINE], message.length + 1),
    );
    return true;
  }

  /**
   * Sends what the host may miss. While the host is behind it is dropped, or a server that tells more than its host can
   * read would have the host taken for gone.
   */
  tell(message: Uint8Array | string): void {
    if (this.#options.output.writableLength <= MAX_TOLD) this.send(message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish('stopped');
  }

  #finish(reason: string): void {
    this.#over = true;
    this.#options.input.pause();
    this.#end({ asked: true, reason });
  }
}

const NEWLINE = Buffer.from('\n');
