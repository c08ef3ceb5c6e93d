const LF = 0x0a;
const CR = 0x0d;

export interface Line {
  /** Its first bytes, `MAX_LINE_BYTES` at most, without the line end. */
  readonly bytes: Buffer;
  /** Its whole length in bytes. */
  readonly length: number;
}

/** What is kept of one line: 4,000 characters of four bytes. One line of 2.7 million characters has been met. */
const MAX_LINE_BYTES = 16_000;

/** Cuts bytes into lines at CRLF, LF and CR, over any chunking; only the lines asked for are kept. */
export class LineSplitter {
  /** Lines that have ended. */
  count = 0;
  readonly ends = { LF: 0, CRLF: 0, CR: 0 };
  readonly #wanted: (number: number) => boolean;
  readonly #line: (line: Line) => void;
  #kept: Buffer[] = [];
  #keptSize = 0;
  #length = 0;
  /** The last byte was a CR: an LF that follows belongs to it. */
  #afterCr = false;

  constructor(wanted: (number: number) => boolean, line: (line: Line) => void) {
    this.#wanted = wanted;
    this.#line = line;
  }

  push(chunk: Buffer): void {
    let start = 0;
    if (this.#afterCr && chunk.length > 0) {
      this.#afterCr = false;
      if (chunk[0] === LF) start = 1;
      this.#endLine(start === 1 ? 'CRLF' : 'CR');
    }
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      this.#keep(chunk, start, end);
      if (end === lf) {
        this.#endLine('LF');
        start = end + 1;
      } else if (end + 1 === chunk.length) {
        this.#afterCr = true;
        return;
      } else {
        this.#endLine(lf === end + 1 ? 'CRLF' : 'CR');
        start = end + (lf === end + 1 ? 2 : 1);
      }
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
    }
    this.#keep(chunk, start, chunk.length);
  }

  /** The file is over: a last line without its end is a line. */
  end(): void {
    if (this.#afterCr) this.#endLine('CR');
    else if (this.#length > 0) this.#endLine(undefined);
    this.#afterCr = false;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    this.#length += end - start;
    if (end === start || this.#keptSize >= MAX_LINE_BYTES || !this.#wanted(this.count + 1)) return;
    const part = Buffer.from(chunk.subarray(start, Math.min(end, start + MAX_LINE_BYTES - this.#keptSize)));
    this.#kept.push(part);
    this.#keptSize += part.length;
  }

  #endLine(kind: keyof LineSplitter['ends'] | undefined): void {
    this.count += 1;
    if (kind !== undefined) this.ends[kind] += 1;
    if (this.#wanted(this.count)) this.#line({ bytes: Buffer.concat(this.#kept), length: this.#length });
    this.#kept = [];
    this.#keptSize = 0;
    this.#length = 0;
  }
}
