import { Scanner } from './scanner.ts';

/** Where a part of a message stands in its bytes; `start` is -1 where it is absent. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Envelope: where id, method and the few parts that routing needs stand in a JSON-RPC message. The payload is checked
 * to be JSON but never turned into objects: an id is spliced in its place and the rest goes on as the bytes it came as.
 */
export interface Envelope {
  readonly shape: 'object' | 'array' | 'other';
  readonly jsonrpc: Span;
  readonly id: Span;
  readonly method: Span;
  readonly params: Span;
  readonly result: Span;
  readonly error: Span;
  /** Parts of `params`. */
  readonly name: Span;
  readonly arguments: Span;
  readonly meta: Span;
  /** One of these keys is escaped or doubled: the spans cannot be trusted before the message is written afresh. */
  readonly odd: boolean;
}

/**
 * Reads envelopes. What `read` returns is the reader itself and holds until the next `read`: this happens twice for
 * each call, so it makes no objects.
 */
export interface EnvelopeReader {
  /** The envelope of one JSON value in UTF-8, or `undefined` where the bytes are not JSON. */
  read(message: Buffer): Envelope | undefined;
}

export function createEnvelopeReader(): EnvelopeReader {
  return new EnvelopeScanner();
}

export function has(span: Span): boolean {
  return span.start >= 0;
}

export type Splice = readonly [span: Span, bytes: Uint8Array];

/** `message` with the bytes of each span replaced. Splices may come in any order; they must not overlap. */
export function splice(message: Buffer, splices: readonly Splice[]): Buffer {
  const ordered = [...splices].sort((a, b) => a[0].start - b[0].start);
  let length = message.length;
  for (const [span, bytes] of ordered) length += bytes.length - (span.end - span.start);
  const out = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  for (const [span, bytes] of ordered) {
    to += message.copy(out, to, from, span.start);
    out.set(bytes, to);
    to += bytes.length;
    from = span.end;
  }
  message.copy(out, to, from);
  return out;
}

/**
 * `message` with one span replaced: what every call needs, and all that most need. What fits into the old place is
 * written there, with blanks behind it, so the message itself changes; only what is longer costs a copy.
 */
export function replaceSpan(message: Buffer, { start, end }: Span, text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length <= end - start) {
    message.write(text, start);
    for (let at = start + length; at < end; at++) message[at] = BLANK;
    return message;
  }
  const out = Buffer.allocUnsafe(message.length - (end - start) + length);
  message.copy(out, 0, 0, start);
  out.write(text, start);
  message.copy(out, start + length, end);
  return out;
}

const BLANK = 0x20;

/** The same message written afresh: one key of a name, none of them escaped, on one line. */
export function rewrite(message: Buffer): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(message.toString())));
}

/**
 * The spans of an array's elements, or `undefined` where the bytes are not a JSON array. Of more than `most` elements
 * one is told beyond them and the rest is not kept: 16 MiB of `1,1,1` would be gigabytes of spans.
 */
export function elements(message: Buffer, most: number): Span[] | undefined {
  const spans: Span[] = [];
  const scanner = new Scanner().begin(message);
  const keep = (start: number, end: number) => {
    if (spans.length <= most) spans.push({ start, end });
  };
  return scanner.array(keep) && scanner.atEnd() ? spans : undefined;
}

/** Whether an escaped key spells one of ours. Others may stay: a quote in a key is escaped however it is written. */
function isOurs(key: string): boolean {
  return OURS.has(JSON.parse(`"${key}"`));
}

const OURS: ReadonlySet<unknown> = new Set([
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  'name',
  'arguments',
  '_meta',
]);

const TOP = 1;
const PARAMS = 2;

class EnvelopeScanner extends Scanner implements Envelope, EnvelopeReader {
  shape: Envelope['shape'] = 'other';
  readonly jsonrpc: Span = { start: -1, end: -1 };
  readonly id: Span = { start: -1, end: -1 };
  readonly method: Span = { start: -1, end: -1 };
  readonly params: Span = { start: -1, end: -1 };
  readonly result: Span = { start: -1, end: -1 };
  readonly error: Span = { start: -1, end: -1 };
  readonly name: Span = { start: -1, end: -1 };
  readonly arguments: Span = { start: -1, end: -1 };
  readonly meta: Span = { start: -1, end: -1 };
  odd = false;
  readonly #spans = [
    this.jsonrpc,
    this.id,
    this.method,
    this.params,
    this.result,
    this.error,
    this.name,
    this.arguments,
    this.meta,
  ];

  read(message: Buffer): Envelope | undefined {
    this.begin(message);
    for (const span of this.#spans) span.start = -1;
    this.odd = false;
    const first = this.peek();
    this.shape = first === 0x7b ? 'object' : first === 0x5b ? 'array' : 'other';
    const good = first === 0x7b ? this.object(TOP) : this.value();
    return good && this.atEnd() ? this : undefined;
  }

  protected override member(place: number, keyStart: number, keyEnd: number): boolean {
    if (this.sawEscape && isOurs((this.bytes as Buffer).toString('utf8', keyStart, keyEnd))) this.odd = true;
    const span = place === TOP ? this.#topSpan(keyStart, keyEnd) : this.#paramsSpan(keyStart, keyEnd);
    if (span === undefined) return this.value();
    const start = this.at;
    const isParams = span === this.params && this.bytes[start] === 0x7b;
    if (!(isParams ? this.object(PARAMS) : this.value())) return false;
    if (span.start >= 0) this.odd = true;
    span.start = start;
    span.end = this.at;
    return true;
  }

  #topSpan(start: number, end: number): Span | undefined {
    switch (end - start) {
      case 2:
        return this.is(start, 'id') ? this.id : undefined;
      case 5:
        return this.is(start, 'error') ? this.error : undefined;
      case 6:
        if (this.is(start, 'method')) return this.method;
        if (this.is(start, 'params')) return this.params;
        return this.is(start, 'result') ? this.result : undefined;
      case 7:
        return this.is(start, 'jsonrpc') ? this.jsonrpc : undefined;
      default:
        return undefined;
    }
  }

  #paramsSpan(start: number, end: number): Span | undefined {
    switch (end - start) {
      case 4:
        return this.is(start, 'name') ? this.name : undefined;
      case 5:
        return this.is(start, '_meta') ? this.meta : undefined;
      case 9:
        return this.is(start, 'arguments') ? this.arguments : undefined;
      default:
        return undefined;
    }
  }
}
