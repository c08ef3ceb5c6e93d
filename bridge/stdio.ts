import { once } from 'node:events';
import type { Child } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';
import type { Ending } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import { type LineListener, LineSplitter } from './lines.ts';

/** A server that does not read its stdin for so many bytes is not given more. */
const MAX_WAITING = 8 << 20;
/** A burst up to this size leaves as one buffer; beyond it the copy costs more than the system call. */
const MAX_JOINED = 64 << 10;
/** After a server has died, what it last said is still in the pipe; a grandchild may hold that pipe for ever. */
const DRAIN_MS = 10;
const NEWLINE = Buffer.from('\n');

export interface StdioListener {
  /** A line over the limit was skipped. */
  tooLong: LineListener['tooLong'];
}

/** A server behind a child's pipes: newline JSON both ways. Disposing it disposes the child. */
export class StdioTransport implements Transport {
  readonly ended: Promise<Ending>;
  readonly #child: Child;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #listener: (message: Buffer) => void = () => {};

  constructor(child: Child, clock: Clock, listener: StdioListener) {
    this.#child = child;
    const drained = once(child.stdout, 'end').catch(() => {});
    this.ended = child.ended.then((ending) => within(clock, DRAIN_MS, drained).then(() => ending));
    const splitter = new LineSplitter({
      line: (line) => this.#listener(line),
      tooLong: (head, tail) => listener.tooLong(head, tail),
    });
    child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
    child.stdout.on('error', () => {}); // the end is told by `ended`
  }

  set onMessage(listener: (message: Buffer) => void) {
    this.#listener = listener;
  }

  send(message: Uint8Array | string): boolean {
    const { stdin } = this.#child;
    if (stdin.writableEnded || stdin.destroyed || stdin.writableLength > MAX_WAITING) return false;
    if (this.#waiting.length === 0) process.nextTick(this.#flush);
    const bytes = typeof message === 'string' ? Buffer.from(message) : (message as Buffer);
    this.#waiting.push(bytes, NEWLINE);
    this.#waitingBytes += bytes.length + 1;
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  /** What came in one tick leaves in one system call. */
  readonly #flush = (): void => {
    const { stdin } = this.#child;
    const waiting = this.#waiting;
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (stdin.writableEnded || stdin.destroyed) return;
    if (bytes <= MAX_JOINED) {
      stdin.write(Buffer.concat(waiting, bytes));
      return;
    }
    stdin.cork();
    for (const buffer of waiting) stdin.write(buffer);
    stdin.uncork();
  };
}
