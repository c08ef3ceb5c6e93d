import { createEnvelopeReader, type Span } from './envelope.ts';
import type { RawId } from './jsonrpc.ts';

/** An id or a progress token is kept as long as its call: thousands of long ones would cost the memory. */
const MAX_ID = 1024;

/** An id is a number or a string of at most 1,024 bytes; it is echoed as the text it came as. */
export function isId(message: Buffer, span: Span): boolean {
  if (span.end - span.start > MAX_ID) return false;
  const first = message[span.start] as number;
  return first === 0x22 || first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** Whether an id as it came is this one, which is written as JSON.stringify does. */
export function isSameId(raw: RawId, id: string): boolean {
  return raw === id || (isOddId(raw) && JSON.stringify(JSON.parse(raw)) === id);
}

/** Whether an id can be spelt in more than one way: a storm of cancels must not parse every id each time. */
function isOddId(id: RawId): boolean {
  return id.startsWith('"') ? id.includes('\\') : id.length > 15 || /[.eE+-]/.test(id);
}

/** A message without the byte order mark that some programs write before their first. */
export function withoutMark(message: Buffer): Buffer {
  return message[0] === 0xef && message[1] === 0xbb && message[2] === 0xbf ? message.subarray(3) : message;
}

export function isText(message: Buffer, span: Span): boolean {
  return message[span.start] === 0x22;
}

/** Whether a method is tools/call, told by its bytes. */
export function isCall(message: Buffer, span: Span): boolean {
  if (span.end - span.start !== CALL.length) return false;
  for (let i = 0; i < CALL.length; i++) if (message[span.start + i] !== CALL[i]) return false;
  return true;
}

const CALL = Buffer.from('"tools/call"');

/** The text of a JSON string: tool names need no unescaping but for a few. */
export function textAt(message: Buffer, span: Span): string {
  const text = message.toString('utf8', span.start + 1, span.end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/**
 * What stands in the place of a call's arguments: `undefined` where they are an object already or absent. Models send
 * null for none, and some clouds send the object as text.
 */
export function argumentsOf(message: Buffer, span: Span): Buffer | undefined | 'wrong' {
  const first = message[span.start];
  if (span.start < 0 || first === 0x7b) return undefined;
  const value: unknown = JSON.parse(message.toString('utf8', span.start, span.end));
  if (value === null) return Buffer.from('{}');
  if (Array.isArray(value) && value.length === 0) return Buffer.from('{}');
  if (typeof value !== 'string') return 'wrong';
  if (value.trim() === '') return Buffer.from('{}');
  try {
    const inner: unknown = JSON.parse(value);
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (!isObject) return 'wrong';
    const plain = Buffer.from(JSON.stringify(inner));
    return createEnvelopeReader().read(plain) ? plain : 'wrong'; // nests deeper than a message may
  } catch {
    return 'wrong';
  }
}

/** The progress token in a `_meta`, as JSON text, where there is one that MCP allows. */
export function progressTokenOf(message: Buffer, span: Span): string | undefined {
  const meta = JSON.parse(message.toString('utf8', span.start, span.end)) as {
    progressToken?: unknown;
  } | null;
  const token = meta?.progressToken;
  const isToken = typeof token === 'string' ? token.length <= MAX_ID : Number.isFinite(token);
  return isToken ? JSON.stringify(token) : undefined;
}
