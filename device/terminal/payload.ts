import { MAX_PAYLOAD } from './frame.ts';

/** A payload is one compact JSON object (terminal link 1); none at all counts as an empty one. */
export type Payload = Readonly<Record<string, unknown>>;

/** `undefined` where the bytes are no UTF-8, no JSON or no object. */
export function parsePayload(bytes: Uint8Array): Payload | undefined {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Payload)
      : undefined;
  } catch {
    return undefined; // damage that the checksum did not see, or a slip of the firmware
  }
}

/** The bytes of a payload of ours, which by its making stays within the limit. */
export function encodePayload(value: Payload): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  if (bytes.length > MAX_PAYLOAD) throw new RangeError(`a payload of ${bytes.length} bytes`);
  return bytes;
}

/** A text of the terminal for people, in any script: what moves a cursor, or cannot be seen, is a question mark. */
export function plainText(value: unknown, most = 48): string {
  if (typeof value !== 'string') return '';
  return [...value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')].slice(0, most).join('');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
