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
  readonly id: Span;
  readonly method: Span;
  readonly params: Span;
  readonly result: Span;
  readonly error: Span;
  /** Parts of `params`. */
  readonly name: Span;
  readonly arguments: Span;
  readonly meta: Span;
  /** A key is escaped or doubled: the spans cannot be trusted before the message is written afresh. */
  readonly odd: boolean;
}

/** The envelope of one JSON value in UTF-8, or `undefined` where the bytes are not JSON. */
export function readEnvelope(message: Buffer): Envelope | undefined {
  return new EnvelopeScanner(message).read();
}

export function has(span: Span): boolean {
  return span.start >= 0;
}

/** `message` with the bytes of each span replaced. Splices may come in any order; they must not overlap. */
export function splice(message: Buffer, splices: readonly (readonly [Span, Uint8Array])[]): Buffer {
  const ordered = splices.length < 2 ? splices : [...splices].sort((a, b) => a[0].start - b[0].start);
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

/** The same message written afresh: one key of a name, none of them escaped, on one line. */
export function rewrite(message: Buffer): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(message.toString())));
}

/** The spans of an array's elements, or `undefined` where the bytes are not a JSON array. */
export function elements(message: Buffer): Span[] | undefined {
  const spans: Span[] = [];
  const scanner = new Scanner(message);
  return scanner.array((start, end) => spans.push({ start, end })) && scanner.atEnd() ? spans : undefined;
}

const absent = (): Span => ({ start: -1, end: -1 });

class EnvelopeScanner extends Scanner {
  readonly envelope = {
    shape: 'other' as Envelope['shape'],
    id: absent(),
    method: absent(),
    params: absent(),
    result: absent(),
    error: absent(),
    name: absent(),
    arguments: absent(),
    meta: absent(),
    odd: false,
  };

  read(): Envelope | undefined {
    const first = this.peek();
    this.envelope.shape = first === 0x7b ? 'object' : first === 0x5b ? 'array' : 'other';
    const good = first === 0x7b ? this.object(this.#topMember) : this.value();
    return good && this.atEnd() ? this.envelope : undefined;
  }

  readonly #topMember = (keyStart: number, keyEnd: number): boolean => {
    const span = this.#topSpan(keyStart, keyEnd);
    if (span === undefined) return this.value();
    const start = this.at;
    const good =
      span === this.envelope.params && this.peek() === 0x7b ? this.object(this.#paramsMember) : this.value();
    return good && this.#record(span, start);
  };

  readonly #paramsMember = (keyStart: number, keyEnd: number): boolean => {
    const span = this.#paramsSpan(keyStart, keyEnd);
    const start = this.at;
    return this.value() && (span === undefined || this.#record(span, start));
  };

  #record(span: Span, start: number): boolean {
    if (span.start >= 0) this.envelope.odd = true;
    span.start = start;
    span.end = this.at;
    return true;
  }

  #topSpan(start: number, end: number): Span | undefined {
    const { envelope } = this;
    if (this.sawEscape) envelope.odd = true;
    switch (end - start) {
      case 2:
        return this.is(start, 'id') ? envelope.id : undefined;
      case 5:
        return this.is(start, 'error') ? envelope.error : undefined;
      case 6:
        if (this.is(start, 'method')) return envelope.method;
        if (this.is(start, 'params')) return envelope.params;
        return this.is(start, 'result') ? envelope.result : undefined;
      default:
        return undefined;
    }
  }

  #paramsSpan(start: number, end: number): Span | undefined {
    const { envelope } = this;
    if (this.sawEscape) envelope.odd = true;
    switch (end - start) {
      case 4:
        return this.is(start, 'name') ? envelope.name : undefined;
      case 5:
        return this.is(start, '_meta') ? envelope.meta : undefined;
      case 9:
        return this.is(start, 'arguments') ? envelope.arguments : undefined;
      default:
        return undefined;
    }
  }
}
