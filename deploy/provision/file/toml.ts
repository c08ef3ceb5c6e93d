import { parse, TomlError } from 'smol-toml';
import type { PlainText } from './plain-text.ts';
import type { Place, Problem, Words } from './problem.ts';

/** What the file holds. After slips of syntax: what the lines without them hold. */
export interface Toml {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  /** Where a key stands, or its value; the table around it where the key itself cannot be found. */
  locate(path: readonly string[], what?: 'key' | 'value'): Place | undefined;
  /** The setting that a line holds. */
  pathAt(line: number): readonly string[] | undefined;
}

/** A file with more slips is no TOML. */
const MAX_SLIPS = 20;

/** The parser stops at the first slip, so the line that holds it is blanked and the rest read again: all come at once. */
export function readToml(file: PlainText): Toml {
  const problems: Problem[] = [];
  const places = findEntries(file);
  let text = file.text;
  while (problems.length < MAX_SLIPS) {
    try {
      return { raw: parse(text), problems, ...places };
    } catch (error) {
      const offset = error instanceof TomlError ? offsetOf(text, error) : 0;
      const place = file.at(offset);
      if (problems.at(-1)?.line === place.line) break; // An echo of the line that was blanked.
      const line = file.lines[place.line - 1] ?? '';
      if (problems.length > 0 && line.trim() === '') break; // The end of the file tells of the same slip once more.
      const above = file.lines.slice(0, place.line - 1).findLast((one) => one.trim() !== '');
      problems.push({ code: 'CONFIG_SYNTAX', ...place, said: slipOf(line, above ?? '', error) });
      const without = blanked(text, offset);
      if (without === undefined) break;
      text = without;
    }
  }
  return { raw: {}, problems, ...places };
}

const FULL_WIDTH: readonly (readonly [found: RegExp, plain: string])[] = [
  [/＝/, '='],
  [/[“”＂]/, '"'],
  [/[‘’＇]/, "'"],
  [/[［］]/, '[ ]'],
  [/＃/, '#'],
  [/[０-９]/, '0-9'],
];

/** The parser's own words say more about the parser than about the file, and may quote it. */
const SLIPS: readonly (readonly [found: RegExp, said: Words])[] = [
  [/losslessly/, { ja: '数が大きすぎます', en: 'expected a number that is not as long' }],
  [/redefine/, { ja: '同じ項目が二度書かれています', en: 'expected each setting once, got this one again' }],
  [
    /control characters|unfinished string|newlines are not allowed/,
    { ja: '値を閉じる " がありません', en: 'expected the closing " on this line' },
  ],
  [
    /escape/,
    {
      ja: String.raw`" の中の \ は特別な意味を持ちます。'値' のように ' で囲んでください`,
      en: String.raw`\ has a meaning of its own between ". Put the value in ' instead: 'value'`,
    },
  ],
  [
    /end-of-line/,
    { ja: '値の後ろに余分な文字があります', en: 'expected the end of the line after the value' },
  ],
];

const OPEN_LIST: Words = { ja: '閉じる ] がありません', en: 'expected the closing ]' };
const OPEN_ABOVE: Words = {
  ja: '上の行で始めた [ を閉じる ] がありません',
  en: 'expected the closing ] of the list that begins above',
};
const VALUE: Words = {
  ja: '値は "文字" のように " で囲んでください',
  en: 'expected a value; text goes between ": "text"',
};
const ENTRY_EXPECTED: Words = {
  ja: '「項目 = "値"」か「[見出し]」の形が必要です',
  en: 'expected setting = "value", or a [table]',
};

/** `above` is the last line before that is not blank. */
function slipOf(line: string, above: string, error: unknown): Words {
  const outside = outsideOf(line);
  const wide = FULL_WIDTH.find(([found]) => found.test(outside));
  if (wide) {
    const [got = ''] = wide[0].exec(outside) ?? [];
    return {
      ja: `全角の「${got}」は使えません。半角の ${wide[1]} にしてください`,
      en: `expected ${wide[1]}, got the full-width ${got}`,
    };
  }
  const words = String(error).split('\n')[0] ?? '';
  const known = SLIPS.find(([found]) => found.test(words));
  if (known) return known[1];
  if (/=\s*\[[^\]]*$/.test(outside)) return OPEN_LIST;
  if (/[,[]\s*$/.test(outsideOf(above))) return OPEN_ABOVE;
  return /^\s*["'\w.-]+\s*=/.test(line) ? VALUE : ENTRY_EXPECTED;
}

/** The line without its texts and its comment. */
function outsideOf(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g, '');
}

function offsetOf(text: string, { line, column }: TomlError): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return Math.min(start + column - 1, text.length);
}

/** The text with the line at `offset` made of blanks; undefined for a `[table]`, since what follows would land elsewhere. */
function blanked(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset) < 0 ? text.length : text.indexOf('\n', offset);
  const line = text.slice(start, end);
  if (line.trim() === '' || /^\s*[[［]/.test(line)) return undefined;
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

const NAME = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)`;
const DOTTED = String.raw`${NAME}(?:[ \t]*\.[ \t]*${NAME})*`;
const ENTRY = new RegExp(String.raw`^([ \t]*)(?:\[{1,2}[ \t]*(${DOTTED})|(${DOTTED})([ \t]*=[ \t]*))`, 'gm');

/** The parser keeps no places. These files are one entry a line, so that lines are enough to find them again. */
function findEntries(file: PlainText): Pick<Toml, 'locate' | 'pathAt'> {
  const found = new Map<string, { key: number; value: number }>();
  const lines = new Map<number, readonly string[]>();
  let table: string[] = [];
  for (const match of file.text.matchAll(ENTRY)) {
    const [, indent = '', header, key, equals = ''] = match;
    if (header !== undefined) table = namesIn(header);
    const path = header === undefined ? [...table, ...namesIn(key ?? '')] : table;
    const start =
      header === undefined ? match.index + indent.length : match.index + match[0].length - header.length;
    found.set(path.join('\0'), { key: start, value: start + (key?.length ?? 0) + equals.length });
    lines.set(file.at(start).line, path);
  }
  return {
    pathAt: (line) => lines.get(line),
    locate(path, what = 'value') {
      for (let length = path.length; length > 0; length -= 1) {
        const entry = found.get(path.slice(0, length).join('\0'));
        if (entry) return file.at(entry[length === path.length ? what : 'key']);
      }
      // A table that has no head of its own, only those of tables in it.
      const within = [...found].find(([name]) => name.startsWith(`${path.join('\0')}\0`));
      return within && file.at(within[1].key);
    },
  };
}

function namesIn(dotted: string): string[] {
  return [...dotted.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replace(/^["']|["']$/g, ''));
}
