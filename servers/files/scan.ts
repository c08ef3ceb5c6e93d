import type { FileHandle } from 'node:fs/promises';
import { readAt } from './content.ts';
import {
  ENCODING_NAMES,
  type Encoding,
  isTelling,
  looksBinary,
  narrowEncoding,
  wideEncoding,
} from './encoding.ts';
import { kindOf } from './kinds.ts';
import { type Line, LineSplitter } from './lines.ts';

interface ReadLine {
  readonly text: string;
  /** Length of the whole line in bytes where `text` is only its beginning. */
  readonly cutFrom?: number;
}

export interface ScannedText {
  readonly binary: false;
  readonly lines: readonly ReadLine[];
  /** Lines in the file; undefined when it was not read to its end. */
  readonly total: number | undefined;
  /** Lines that were passed. */
  readonly seen: number;
  readonly encoding: string;
  /** LF, CRLF, CR or mixed; '' when there is no line end. */
  readonly newline: string;
}

export type Scanned = ScannedText | { readonly binary: true; readonly kind: string };

const CHUNK = 64 * 1024;
/** One call reads so much of a file and takes so long, whatever the file is. */
const MAX_READ = 64 * 1024 * 1024;
const MAX_MS = 1000;
/** Once the lines are there, counting the rest of the file may take so long. */
const COUNT_MS = 200;
/** What one answer holds at most: bytes as stored, and characters of one line. */
const MAX_OUTPUT = 500_000;
const MAX_CHARACTERS = 4000;

/** Reads lines `first` to `last` (from 1) of a file in one pass with bounded memory, and says what encoding it is in. */
export async function scan(
  file: FileHandle,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<Scanned> {
  const { size } = await file.stat();
  // One byte more than the file has, so that a chunk which is not filled is the end; filled over and over.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(4096, size + 1)));
  const head = await readAt(file, 0, buffer);
  const wide = wideEncoding(head);
  const kind = kindOf(head);
  // A text may begin with `BZh` or `ID3` too; a PDF may be all ASCII and is no text to read out.
  const marked = kind === 'PDF document' || (kind !== '' && isTelling(head));
  if (marked || (wide === undefined && looksBinary(head))) return { binary: true, kind };
  const pass = new Pass(first, last, wide);
  await pass.run(file, buffer, head.length, signal);
  const encoding = wide ?? narrowEncoding(pass.sample, pass.sampleIsWhole);
  if (encoding === undefined) return { binary: true, kind };
  return pass.result(encoding);
}

class Pass {
  sample: Buffer = Buffer.alloc(0);
  sampleIsWhole = true;
  readonly #lines: Line[] = [];
  readonly #splitter: LineSplitter;
  readonly #wide: TextDecoder | undefined;
  #output = 0;
  #full = false;
  #complete = false;

  constructor(first: number, last: number, wide: Encoding | undefined) {
    this.#splitter = new LineSplitter(
      (number) => number >= first && number <= last && !this.#full,
      (line) => this.#take(line, last),
    );
    this.#wide = wide === undefined ? undefined : new TextDecoder(wide);
    // Nothing asked for: the file is only looked at and counted.
    this.#full = last < first;
  }

  /** `buffer` holds the first `length` bytes of the file. */
  async run(file: FileHandle, buffer: Buffer, length: number, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    let done: number | undefined;
    let chunk = buffer.subarray(0, length);
    for (let position = 0; position < MAX_READ; ) {
      this.#complete = chunk.length < buffer.length;
      this.#push(chunk, position === 0);
      if (this.#complete) break;
      position += chunk.length;
      const now = performance.now();
      if (this.#full) done ??= now;
      if (now - begun > MAX_MS || (done !== undefined && now - done > COUNT_MS)) break;
      signal.throwIfAborted();
      chunk = await readAt(file, position, buffer);
    }
    if (this.#complete) {
      if (this.#wide !== undefined) this.#splitter.push(Buffer.from(this.#wide.decode()));
      this.#splitter.end();
    }
  }

  result(encoding: Encoding): ScannedText {
    const { count, ends } = this.#splitter;
    const found = Object.entries(ends).filter(([, times]) => times > 0);
    // UTF-16 was made into UTF-8 on its way in.
    const decoder = new TextDecoder(this.#wide === undefined ? encoding : 'utf-8');
    return {
      binary: false,
      lines: this.#lines.map((line) => shorten(line, decoder)),
      total: this.#complete ? count : undefined,
      seen: count,
      encoding: ENCODING_NAMES[encoding],
      newline: found.length > 1 ? 'mixed' : (found[0]?.[0] ?? ''),
    };
  }

  #push(chunk: Buffer, isFirst: boolean): void {
    if (this.#wide !== undefined) {
      this.#splitter.push(Buffer.from(this.#wide.decode(chunk, { stream: true })));
      return;
    }
    if (this.sample.length === 0 && isTelling(chunk)) this.#takeSample(chunk, isFirst);
    const marked = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    this.#splitter.push(marked ? chunk.subarray(3) : chunk);
  }

  /** Whole lines of the first chunk that tells anything: a chunk may begin and end amid a character, a line does not. */
  #takeSample(chunk: Buffer, isFirst: boolean): void {
    const start = isFirst ? 0 : chunk.indexOf(0x0a) + 1;
    const end = this.#complete ? chunk.length : chunk.lastIndexOf(0x0a) + 1;
    this.sampleIsWhole = end > start;
    this.sample = Buffer.from(this.sampleIsWhole ? chunk.subarray(start, end) : chunk.subarray(start));
  }

  #take(line: Line, last: number): void {
    this.#lines.push(line);
    this.#output += line.bytes.length + 1;
    this.#full = this.#output >= MAX_OUTPUT || this.#splitter.count >= last;
  }
}

function shorten(line: Line, decoder: TextDecoder): ReadLine {
  const whole = line.bytes.length === line.length;
  const text = decoder.decode(line.bytes);
  if (whole && text.length <= MAX_CHARACTERS) return { text };
  const characters = [...text];
  if (whole && characters.length <= MAX_CHARACTERS) return { text };
  return { text: characters.slice(0, MAX_CHARACTERS).join(''), cutFrom: line.length };
}
