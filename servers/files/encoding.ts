import { isUtf8 } from 'node:buffer';

/**
 * Which encoding a text is in. Japanese files come in six of them, and most do not say which: a byte order mark
 * decides, then the escape sequences of ISO-2022-JP, then UTF-8 when it fits, then whatever reads most like text.
 * All are decoded by TextDecoder (WHATWG Encoding), which Node carries with its full ICU.
 */
export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'iso-2022-jp'
  | 'euc-jp'
  | 'shift_jis'
  | 'windows-1252';

export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  'iso-2022-jp': 'ISO-2022-JP',
  'euc-jp': 'EUC-JP',
  shift_jis: 'Shift_JIS',
  'windows-1252': 'Windows-1252',
};

/** Nothing but ASCII, Western letters, kana, kanji and their marks. */
const READABLE = /^[\t-\r\u0020-\u007e\u00a0-\u017f\u2010-\u2026\u3000-\u30ff\u4e00-\u9fff\uff01-\uff9f]+$/;
/** How ISO-2022-JP changes to kanji, half-width kana and Roman letters; terminal colours look different. */
const ESCAPES = ['\x1b$@', '\x1b$B', '\x1b(I', '\x1b(J'];
/** Bytes at the head in which NUL and control characters tell binary from text. */
const HEAD = 8192;

/** The UTF-16 of a head, by its mark or by what it reads like; undefined for all that is byte-wise. */
export function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return head[2] === 0 && head[3] === 0 ? undefined : 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a mark only a NUL hints at UTF-16; it is believed where the whole head then reads as text.
  const part = head.subarray(0, Math.min(head.length, 512) & ~1);
  if (part.length < 8 || !part.includes(0)) return undefined;
  return (['utf-16le', 'utf-16be'] as const).find((encoding) => isReadable(decode(part, encoding)));
}

/** Pairs of ASCII letters decode as kanji, so kanji alone prove nothing: a third must be kana or ASCII. */
function isReadable(text: string): boolean {
  const plain = text.match(/[\t-\r\u0020-\u007e\u3041-\u30ff]/g)?.length ?? 0;
  return plain * 3 >= text.length && READABLE.test(text);
}

/** Whether a head that is not UTF-16 belongs to a binary file: it holds a NUL, or many control characters. */
export function looksBinary(head: Buffer): boolean {
  const part = head.subarray(0, HEAD);
  let controls = 0;
  for (const byte of part) {
    if (byte === 0) return true;
    // Tab to carriage return, backspace and escape occur in logs and in ISO-2022-JP.
    if ((byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f) controls += 1;
  }
  return controls > part.length / 100;
}

/** Whether bytes tell anything about their encoding: plain ASCII is the same in all that are byte-wise. */
export function isTelling(bytes: Buffer): boolean {
  return bytes.some((byte) => byte >= 0x80 || byte === 0x1b);
}

/**
 * The encoding of a byte-wise text, or undefined when it reads like text in none. `whole`: the sample ends where a
 * character ends; otherwise its last character may be cut off.
 */
export function narrowEncoding(sample: Buffer, whole: boolean): Encoding | undefined {
  const high = sample.some((byte) => byte >= 0x80);
  if (!high) return ESCAPES.some((mark) => sample.includes(mark, 0, 'latin1')) ? 'iso-2022-jp' : 'utf-8';
  if (isValidUtf8(sample, whole)) return 'utf-8';
  const best = (['utf-8', 'euc-jp', 'shift_jis'] as const)
    .map((encoding) => ({ encoding: encoding as Encoding, score: likeness(decode(sample, encoding, whole)) }))
    .concat({ encoding: 'windows-1252', score: westernLikeness(sample) })
    .reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.encoding : undefined;
}

function decode(bytes: Buffer, encoding: Encoding, whole = true): string {
  return new TextDecoder(encoding).decode(bytes, { stream: !whole });
}

function isValidUtf8(sample: Buffer, whole: boolean): boolean {
  if (whole || isUtf8(sample)) return isUtf8(sample);
  // The last character may lack up to three bytes.
  return [1, 2, 3].some((missing) => isUtf8(sample.subarray(0, sample.length - missing)));
}

/**
 * How much a decoded text reads like Japanese. EUC-JP also decodes as Shift_JIS without an error, into half-width
 * kana; so kana in full width count most, half width little, and what no text contains counts against it.
 */
function likeness(text: string): number {
  let score = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    if (code >= 0x3041 && code <= 0x30ff) score += 2;
    else if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3000 && code <= 0x303f)) score += 1;
    else if (code >= 0xff01 && code <= 0xff60) score += 1;
    else if (code === 0xfffd || code < 0xa0 || (code >= 0xe000 && code <= 0xf8ff)) score -= 4;
    else score += 0.3;
  }
  return score;
}

/** Western letters stand alone between ASCII ones; bytes of Japanese come in rows, many of them below 0xA0. */
function westernLikeness(bytes: Buffer): number {
  let score = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    const alone = (bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80;
    if (!alone) score -= 0.5;
    else if (byte >= 0xc0) score += 1;
    else if (byte >= 0xa0 || QUOTES.has(byte)) score += 0.2;
  }
  return score;
}

/** Euro, dots, dashes and quotation marks of Windows-1252 below 0xA0: the ones that Western texts do hold. */
const QUOTES = new Set([0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99]);
