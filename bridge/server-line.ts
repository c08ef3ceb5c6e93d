import type { Span } from './envelope.ts';

/**
 * Line breaks outside strings are white space in JSON, and inside strings they cannot stand: all of them may go, the
 * returns too, at which Python ends a line.
 */
export function oneLine(message: Buffer): Buffer {
  for (const lineBreak of [0x0a, 0x0d])
    for (let at = message.indexOf(lineBreak); at !== -1; at = message.indexOf(lineBreak, at + 1))
      message[at] = 0x20;
  return message;
}

/**
 * An answer with both `result` and `error` keeps the one that says something: some servers write null for the other,
 * and strict clients take neither.
 */
export function withOneOutcome(message: Buffer): Buffer {
  const { result, error, ...rest } = JSON.parse(message.toString()) as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...rest, ...(error === null ? { result } : { error }) }));
}

/**
 * The id of an over-long answer, by its two ends. Which end it stands at depends on who wrote the server: most write
 * it first, the TypeScript SDK last.
 */
export function idOfLong(head: string, tail: string): number | 'no answer' | undefined {
  if (/^\s*\{(?:\s*"(?:jsonrpc|id)":\s*(?:"2\.0"|\d+)\s*,)*\s*"method"/.test(head)) return 'no answer';
  const found =
    /^\s*\{(?:\s*"jsonrpc":\s*"2\.0"\s*,)?\s*"id":\s*(\d+)\s*,/.exec(head) ??
    /"id":\s*(\d+)\s*(?:,\s*"jsonrpc":\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}

/** The whole number that stands at a span, or NaN. An id of ours is one, but some encoders write 5 as `5.0`. */
export function integerAt(message: Buffer, span: Span): number {
  let value = 0;
  for (let i = span.start; i < span.end; i++) {
    const digit = (message[i] as number) - 0x30;
    if (digit < 0 || digit > 9) return Number(message.toString('latin1', span.start, span.end));
    value = value * 10 + digit;
  }
  return value;
}
