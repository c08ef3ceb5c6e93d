/** A line may be so long (4 MiB); the rest of a longer one is skipped without ending the connection. */
export const MAX_LINE = 4 << 20;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LineListener {
  line(line: Buffer): void;
  /** A line was longer than the limit and is lost; its ends are there to find the id in. */
  tooLong(head: Buffer, tail: Buffer): void;
}

/** So much of each end of a lost line is shown. */
const END = 256;
/** More pieces of a line than this are joined: a program that writes single bytes must not cost an object for each. */
const MAX_PIECES = 1024;

/** Cuts a stream of bytes into lines, on bytes and not on text: a character may be split across two reads. */
export class LineSplitter {
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  /** So many of the parts are joined already. */
  #joined = 0;
  #length = 0;
  /** The two ends of a line that is over the limit. */
  #ends: { readonly head: Buffer; readonly tail: Buffer } | undefined;

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

  /** The stream is over: what it said without a newline is a line too. */
  end(): void {
    if (this.#length > 0) this.#finish(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > MAX_LINE) {
      this.#cut(part);
      return;
    }
    this.#parts.push(part);
    if (this.#parts.length - this.#joined > MAX_PIECES)
      this.#parts.push(Buffer.concat(this.#parts.splice(this.#joined++)));
  }

  #finish(tail: Buffer): void {
    const length = this.#length + tail.length;
    if (length > MAX_LINE) this.#cut(tail);
    const ends = this.#ends;
    const whole = this.#parts.length === 0 ? tail : Buffer.concat([...this.#parts, tail]);
    this.#parts = [];
    this.#joined = 0;
    this.#length = 0;
    this.#ends = undefined;
    if (ends) {
      this.#listener.tooLong(ends.head, ends.tail);
      return;
    }
    const end = whole[whole.length - 1] === RETURN ? whole.length - 1 : whole.length;
    if (end > 0) this.#listener.line(end === whole.length ? whole : whole.subarray(0, end));
  }

  /** Of an over-long line only its two ends stay in memory until it is over. */
  #cut(part: Buffer): void {
    const head = this.#ends?.head ?? Buffer.concat([...this.#parts, part], END);
    const last = this.#ends ? [this.#ends.tail] : this.#parts.slice(-END);
    this.#ends = { head, tail: Buffer.from(Buffer.concat([...last, part]).subarray(-END)) };
    this.#parts = [];
    this.#joined = 0;
  }
}
