import { type Envelope, has, type Span } from './envelope.ts';
import { INTERNAL_ERROR } from './jsonrpc.ts';

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

/** Whether an answer may go on as it is: JSON-RPC 2.0, no method, one outcome, an error with its code and sentence. */
export function isStrict(message: Buffer, { jsonrpc, method, result, error }: Envelope): boolean {
  const { start, end } = jsonrpc;
  // By its bytes, since every answer passes here.
  const isTwo =
    end - start === 5 &&
    message[start] === 0x22 &&
    message[start + 1] === 0x32 &&
    message[start + 2] === 0x2e &&
    message[start + 3] === 0x30;
  if (!has(jsonrpc) || !isTwo || has(method)) return false;
  return (
    !has(error) || (!has(result) && isError(JSON.parse(message.toString('utf8', error.start, error.end))))
  );
}

/**
 * An answer as strict clients take it. Of `result` and `error` it keeps the one that says something: some servers
 * write null for the other.
 */
export function strict(message: Buffer): Buffer {
  const { id, result, error } = JSON.parse(message.toString()) as Record<string, unknown>;
  if ((error === undefined || error === null) && result !== undefined) return answer({ id, result });
  if (isError(error)) return answer({ id, error });
  const said = (typeof error === 'object' && error !== null ? error : { message: error }) as WireError;
  const code = Number.isInteger(said.code) ? said.code : INTERNAL_ERROR;
  const text = typeof said.message === 'string' ? said.message : 'no reason given';
  return answer({
    id,
    error: { ...(said.data === undefined ? {} : { data: said.data }), code, message: text },
  });
}

interface WireError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

function isError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { code, message } = value as WireError;
  return Number.isInteger(code) && typeof message === 'string';
}

function answer(outcome: object): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...outcome }));
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
