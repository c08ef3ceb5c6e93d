import type { IncomingMessage } from 'node:http';
import { Fault } from '#kernel/fault.ts';
import { MAX_LINE } from './lines.ts';

/** What a body came to: everything, or a fault; `resumable` where the server numbered its events. */
export type BodyEnd = { readonly fault?: Fault; readonly resumable: boolean };

const TOO_LARGE = 'a message of the server is over 4 MiB';

/**
 * The body of an answer as the library reads it: a stream in which no message is longer than 4 MiB. Of events only the
 * present one counts, since a stream of them may go on for days. `ended` is told once.
 */
export function bodyOf(
  message: IncomingMessage,
  isEvents: boolean,
  faultOf: (error: unknown) => Fault,
  ended: (end: BodyEnd) => void,
): ReadableStream<Uint8Array> {
  const size = new MessageSize(isEvents);
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const finish = (fault?: Fault) => {
          if (isOver) return;
          isOver = true;
          if (fault) {
            controller.error(fault);
            message.destroy();
          } else {
            controller.close();
          }
          ended({ ...(fault && { fault }), resumable: size.isNumbered });
        };
        message.on('data', (chunk: Buffer) => {
          if (isOver) return;
          if (size.add(chunk) > MAX_LINE) {
            finish(new Fault('TOO_LARGE', TOO_LARGE));
            return;
          }
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 1) <= 0) message.pause();
        });
        message.on('end', () => finish());
        message.on('error', (error) => finish(faultOf(error)));
        message.on('close', () => finish(faultOf(undefined)));
        message.pause();
      },
      pull: () => void message.resume(),
      cancel() {
        isOver = true;
        message.destroy();
      },
    },
    { highWaterMark: 256 << 10, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/** How long the message is that a body is in the middle of. */
class MessageSize {
  isNumbered = false;
  readonly #isEvents: boolean;
  #bytes = 0;
  #tail = '';

  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
  }

  /** Counts a chunk; an event ends with an empty line, whose breaks may come in two chunks. */
  add(chunk: Buffer): number {
    if (!this.#isEvents) {
      this.#bytes += chunk.length;
      return this.#bytes;
    }
    const text = this.#tail + chunk.toString('latin1');
    this.isNumbered ||= /(?:^|[\r\n])id:/.test(text);
    const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'), text.lastIndexOf('\r\r'));
    this.#bytes = end === -1 ? this.#bytes + chunk.length : text.length - end;
    this.#tail = text.slice(-3);
    return this.#bytes;
  }
}
