import { isUtf8 } from 'node:buffer';
import type { Place, Problem } from './problem.ts';

/** A file of a person, as text whose places are those of the file. */
export interface PlainText {
  readonly text: string;
  readonly lines: readonly string[];
  at(offset: number): Place;
}

/** A file system of a PC that was not given the time to write leaves zeros where the text should be. */
const TORN: Problem = {
  code: 'CONFIG_UNREADABLE',
  said: {
    ja: 'ファイルが壊れています（0 のバイトがあります）。もう一度保存し、カードを安全に取り外してください',
    en: 'the file is torn, there are bytes of 0 in it. Save it again, and eject the card before you pull it out',
  },
};

/** Largest file; a filled-in template has 3 kB. */
export const MAX_BYTES = 64 * 1024;

/**
 * The text of the file, or why it has none. A BOM is dropped, and blanks that are no blanks to TOML become some where
 * they stand outside of a string: Japanese input leaves the full-width one (U+3000) behind. `bytes` may be the beginning of
 * a larger file of `size`.
 */
export function readPlainText(bytes: Buffer, size: number = bytes.length): PlainText | Problem {
  if (size > MAX_BYTES) {
    return {
      code: 'CONFIG_UNREADABLE',
      said: {
        ja: `大きすぎます（${size} バイト。${MAX_BYTES} バイトまで）`,
        en: `expected at most ${MAX_BYTES} bytes, got ${size}`,
      },
    };
  }
  if (!isUtf8(bytes)) return notUtf8(bytes);
  if (bytes.includes(0)) return TORN;
  const text = withPlainBlanks(withPlainEnds(new TextDecoder().decode(bytes)));
  if (text.trim() === '') {
    return { code: 'CONFIG_EMPTY', said: { ja: '何も書かれていません', en: 'nothing is written in it' } };
  }
  return plainTextOf(text);
}

/** A text that is TOML already, of any size. */
export function plainTextOf(text: string): PlainText {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return {
    text,
    lines,
    at(offset) {
      const line = lineOf(starts, offset);
      return { line, column: [...text.slice(starts[line - 1], offset)].length + 1 };
    },
  };
}

/** By halving: a file that is wrong throughout has thousands of places. */
function lineOf(starts: readonly number[], offset: number): number {
  let [first, last] = [0, starts.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((starts[middle] ?? 0) <= offset) first = middle;
    else last = middle - 1;
  }
  return first + 1;
}

export function isProblem(value: PlainText | Problem): value is Problem {
  return 'said' in value;
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

/** Old editors end a line with CR alone; TOML does not. As long as before, so that places stay true. */
function withPlainEnds(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n');
}

/** A string, of whatever kind, up to its end or that of its line; a comment; or one blank that only looks like one. */
const PIECE =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#[^\n]*|[\u3000\u00a0\u2003\u2002]/g;

function withPlainBlanks(text: string): string {
  return text.replace(PIECE, (piece) => (/^["'#]/.test(piece) ? piece : ' '));
}
