import { once } from 'node:events';
import type { Child } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';
import type { Ending } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import { type LineListener, LineSplitter } from './lines.ts';

/** A server that does not read its stdin for so many bytes is not given more. */
const MAX_WAITING = 8 << 20;
/** After a server has died, what it last said is still in the pipe; a grandchild may hold that pipe for ever. */
const DRAIN_MS = 10;
/** Up to so many bytes are joined before they are written. */
const MAX_JOINED = 64 << 10;
const NEWLINE = Buffer.from('\n');

export interface StdioListener {
  /** A line over the limit was skipped. */
  tooLong: LineListener['tooLong'];
}

/** A server behind a child's pipes: newline JSON both ways. Disposing it disposes the child. */
export class StdioTransport implements Transport {
  readonly ended: Promise<Ending>;
  readonly #child: Child;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #ticking = false;
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
    if (stdin.writableEnded || stdin.destroyed) return false;
    if (stdin.writableLength + this.#waitingBytes > MAX_WAITING) return false;
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    // The first of a tick leaves at once, so that a lone call waits for nothing; what follows leaves as one.
    if (this.#ticking) {
      this.#waiting.push(bytes, NEWLINE);
      this.#waitingBytes += bytes.length;
      return true;
    }
    this.#ticking = true;
    process.nextTick(this.#flush);
    this.#write([bytes, NEWLINE], bytes.length);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  readonly #flush = (): void => {
    const { stdin } = this.#child;
    const waiting = this.#waiting;
    this.#ticking = false;
    if (waiting.length === 0) return;
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (!stdin.writableEnded && !stdin.destroyed) this.#write(waiting, bytes);
  };

  /** In one system call: joined while that is cheap, as pieces where copying them would cost more. */
  #write(pieces: readonly Uint8Array[], bytes: number): void {
    const { stdin } = this.#child;
    if (bytes <= MAX_JOINED) {
      stdin.write(Buffer.concat(pieces));
      return;
    }
    stdin.cork();
    for (const piece of pieces) stdin.write(piece);
    stdin.uncork();
  }
}
