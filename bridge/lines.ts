/** A line may be so long (4 MiB); the rest of a longer one is skipped without ending the connection. */
export const MAX_LINE = 4 << 20;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LineListener {
  line(line: Buffer): void;
  /** A line was longer than the limit and is lost; its ends are there to find the id in. */
  tooLong(head: Buffer, tail: Buffer): void;
}

/** Cuts a stream of bytes into lines, on bytes and not on text: a character may be split across two reads. */
export class LineSplitter {
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(listener: LineListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    // Of an over-long line only the two ends stay in memory until it is over.
    if (this.#length > MAX_LINE) this.#parts = [this.#parts[0] as Buffer, part];
  }

  #finish(tail: Buffer): void {
    const whole = this.#parts.length === 0 ? tail : Buffer.concat([...this.#parts, tail]);
    const length = this.#length + tail.length;
    this.#parts = [];
    this.#length = 0;
    if (length > MAX_LINE) {
      this.#listener.tooLong(whole.subarray(0, END), whole.subarray(-END));
      return;
    }
    const end = whole[whole.length - 1] === RETURN ? whole.length - 1 : whole.length;
    if (end > 0) this.#listener.line(end === whole.length ? whole : whole.subarray(0, end));
  }
}

/** So much of each end of a lost line is shown. */
const END = 256;
