import { isUtf8 } from 'node:buffer';
import type { Place, Problem } from './problem.ts';

/** A file of a person, as text whose places are those of the file. */
export interface PlainText {
  readonly text: string;
  readonly lines: readonly string[];
  at(offset: number): Place;
}

/** Largest file; a filled-in template has 3 kB. */
const MAX_BYTES = 64 * 1024;

/**
 * The text of the file, or why it has none. A BOM is dropped, and blanks that are no blanks to TOML become some where
 * they stand outside of a string: Japanese input leaves the full-width one (U+3000) behind.
 */
export function readPlainText(bytes: Buffer): PlainText | Problem {
  if (bytes.length > MAX_BYTES) {
    return {
      code: 'CONFIG_UNREADABLE',
      said: {
        ja: `大きすぎます（${bytes.length} バイト。${MAX_BYTES} バイトまで）`,
        en: `expected at most ${MAX_BYTES} bytes, got ${bytes.length}`,
      },
    };
  }
  if (!isUtf8(bytes)) return notUtf8(bytes);
  const text = withPlainBlanks(new TextDecoder().decode(bytes));
  if (text.trim() === '') {
    return { code: 'CONFIG_EMPTY', said: { ja: '何も書かれていません', en: 'nothing is written in it' } };
  }
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  return { text, lines, at: (offset) => placeOf(text, offset) };
}

export function isProblem(value: PlainText | Problem): value is Problem {
  return 'said' in value;
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 };
}

function notUtf8(bytes: Buffer): Problem {
  let start = 0;
  let line = 1;
  for (let end = bytes.indexOf(0x0a); end >= 0 && isUtf8(bytes.subarray(start, end)); line += 1) {
    start = end + 1;
    end = bytes.indexOf(0x0a, start);
  }
  const looks = guess(bytes);
  const ja = looks ? `${looks} のようです。` : '';
  const en = looks ? `; it looks like ${looks}` : '';
  return {
    code: 'CONFIG_ENCODING',
    line,
    said: {
      ja: `文字コードが UTF-8 ではありません。${ja}UTF-8 で保存してください`,
      en: `expected UTF-8${en}. Save it as UTF-8`,
    },
  };
}

function guess(bytes: Buffer): string | undefined {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) return 'UTF-16';
  try {
    new TextDecoder('shift_jis', { fatal: true }).decode(bytes);
    return 'Shift_JIS';
  } catch {
    return undefined; // That it does not decode is the answer.
  }
}

/** A string, of whatever kind, up to its end or that of its line; a comment; or one blank that only looks like one. */
const PIECE =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#[^\n]*|[\u3000\u00a0\u2003\u2002]/g;

function withPlainBlanks(text: string): string {
  return text.replace(PIECE, (piece) => (/^["'#]/.test(piece) ? piece : ' '));
}
