/**
 * Cuts a byte stream into JSON-RPC messages. Two spellings are read, mixed at will: one message a line (MCP 2025-11-25,
 * stdio) and `Content-Length` frames as of the language server protocol, which some hosts write; JSON never begins
 * with a C, so the first line of a frame tells them apart. Bytes are joined before they are decoded: a character may
 * be split over two chunks. An over-long message is skipped, not kept: its head and tail are enough to find its id.
 */
interface Framing {
  /** One message, without newline, CR or byte order mark; never empty. */
  readonly message: (bytes: Buffer) => void;
  /** A message of more than `MAX_MESSAGE` bytes has passed. */
  readonly oversize: (head: string, tail: string) => void;
}

/** Longest message that is taken, in bytes. */
export const MAX_MESSAGE = 4 * 1024 * 1024;
/** What is kept of a longer one, at either end. */
const EDGE = 1024;
/** A frame that announces more than this is no frame: waiting for its end would swallow all that follows. */
const MAX_FRAME = 64 * 1024 * 1024;
const HEADER_START = /^content-(?:length|type)\s*:/i;
const HEADER = /^([\w-]+)\s*:\s*(.*)$/;
const LF = 0x0a;
const CR = 0x0d;

export class MessageReader {
  readonly #framing: Framing;
  #chunks: Buffer[] = [];
  #size = 0;
  #tail: Buffer = Buffer.alloc(0);
  /** Bytes of a frame's body still to come; undefined outside a body. */
  #body: number | undefined;
  #inHeader = false;
  #length: number | undefined;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#body === undefined ? this.#takeLine(rest) : this.#takeBody(rest, this.#body);
    }
  }

  /** The stream is over: a last line without its newline still counts. */
  end(): void {
    if (this.#body === undefined) this.#lineDone();
    this.#body = undefined;
    this.#chunks = [];
  }

  #takeLine(bytes: Buffer): Buffer {
    const newline = bytes.indexOf(LF);
    if (newline === -1) {
      this.#keep(bytes);
      return Buffer.alloc(0);
    }
    this.#keep(bytes.subarray(0, newline));
    this.#lineDone();
    return bytes.subarray(newline + 1);
  }

  #takeBody(bytes: Buffer, missing: number): Buffer {
    const part = bytes.subarray(0, missing);
    this.#keep(part);
    this.#body = missing - part.length;
    if (this.#body === 0) {
      this.#body = undefined;
      this.#deliver();
    }
    return bytes.subarray(part.length);
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const before = this.#size;
    this.#size += part.length;
    if (this.#size <= MAX_MESSAGE) {
      this.#chunks.push(part);
      return;
    }
    if (before <= MAX_MESSAGE) {
      const head = Buffer.concat([...this.#chunks, part]);
      this.#chunks = [Buffer.from(head.subarray(0, EDGE))];
      this.#tail = Buffer.from(head.subarray(-EDGE));
    } else {
      this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-EDGE)]).subarray(-EDGE));
    }
  }

  #lineDone(): void {
    if (this.#size <= MAX_MESSAGE) {
      const line = clean(this.#joined());
      if (this.#inHeader ? this.#header(line) : this.#startsHeader(line)) {
        this.#reset();
        return;
      }
    }
    this.#inHeader = false;
    this.#deliver();
  }

  #startsHeader(line: Buffer): boolean {
    // 'C' or 'c', so that no JSON line is ever turned into a string twice
    if (((line[0] ?? 0) | 0x20) !== 0x63 || !HEADER_START.test(line.toString('latin1'))) return false;
    this.#inHeader = true;
    this.#length = undefined;
    return this.#header(line);
  }

  #header(line: Buffer): boolean {
    if (line.length === 0) {
      this.#inHeader = false;
      if (this.#length !== undefined && this.#length > 0) this.#body = this.#length;
      return true;
    }
    const match = line.length <= EDGE ? HEADER.exec(line.toString('latin1')) : null;
    if (match === null) return false;
    const value = Number(match[2]);
    if (match[1]?.toLowerCase() === 'content-length' && Number.isSafeInteger(value) && value <= MAX_FRAME) {
      this.#length = value;
    }
    return true;
  }

  #deliver(): void {
    const { message, oversize } = this.#framing;
    const over = this.#size > MAX_MESSAGE;
    const bytes = this.#joined();
    const tail = this.#tail;
    this.#reset();
    if (over) {
      oversize(bytes.toString('utf8'), tail.toString('utf8'));
    } else {
      const line = clean(bytes);
      if (line.length > 0) message(line);
    }
  }

  /** Most messages come in one chunk: those are not copied. */
  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #reset(): void {
    this.#chunks = [];
    this.#size = 0;
    this.#tail = Buffer.alloc(0);
  }
}

/** Windows hosts write a byte order mark and CRLF; an empty line is no message. */
function clean(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3;
  while (end > start && isSpace(line[end - 1])) end -= 1;
  while (start < end && isSpace(line[start])) start += 1;
  return line.subarray(start, end);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CR || byte === LF;
}
