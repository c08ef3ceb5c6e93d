import { parse, TomlError } from 'smol-toml';
import { messageOf } from '#kernel/fault.ts';
import type { Problem } from './problem.ts';
import { describeSlip } from './slip.ts';
import type { Place, TextFile } from './text-file.ts';

/** What a TOML file holds. After slips of syntax: what the lines without them hold. */
export interface TomlText {
  readonly raw: Record<string, unknown>;
  readonly problems: readonly Problem[];
  /** Where a key, or its value, stands; the table around it where the key itself cannot be found. */
  locate(path: readonly string[], what: 'key' | 'value'): Place | undefined;
}

/** A file with more slips than this is not TOML. */
const MAX_SLIPS = 20;

/**
 * Parses TOML. The parser stops at the first slip, so the line that holds it is blanked and the rest is read again:
 * all slips come at once. A slip in a `[table]` line ends that, since the lines below it would land elsewhere.
 */
export function parseToml(file: TextFile): TomlText {
  const problems: Problem[] = [];
  const locate = locator(file);
  let text = file.text;
  while (problems.length < MAX_SLIPS) {
    try {
      return { raw: parse(text), problems, locate };
    } catch (error) {
      const offset = error instanceof TomlError ? offsetOf(text, error.line, error.column) : 0;
      const detail = describeSlip(file.text, offset) ?? wordsOf(error);
      const place = file.at(offset);
      if (problems.at(-1)?.line === place.line) break; // An echo of the line that was blanked.
      problems.push({ code: 'CONFIG_SYNTAX', severity: 'error', file: file.name, ...place, detail });
      const without = blankLine(text, offset);
      if (without === undefined) break;
      text = without;
    }
  }
  return { raw: {}, problems, locate };
}

/** The parser's words where it says more about the parser than about the file. */
const WORDS: Record<string, string> = {
  'invalid value': 'expected a value (text goes in "double quotes")',
  'illegal character in key': 'expected a key and then =, or a [table]',
  'unfinished string': 'expected the closing quote',
  'unfinished array': 'expected the closing ]',
  'control characters are not allowed in strings': 'expected the closing quote on this line',
  'trying to redefine an already defined table or value': 'this name is here twice',
  'each key-value declaration must be followed by an end-of-line': 'expected the end of the line',
  'expected comma or end of structure': 'expected , or the closing bracket',
  'integer value cannot be represented losslessly': 'expected a number that is not as long',
};

function wordsOf(error: unknown): string {
  const [first = ''] = messageOf(error).split('\n');
  const words = first.replace('Invalid TOML document: ', '');
  return WORDS[words] ?? words;
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return Math.min(start + column - 1, text.length);
}

/** The text with the line at `offset` made of blanks, so that all offsets stay true; undefined where that cannot help. */
function blankLine(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset) < 0 ? text.length : text.indexOf('\n', offset);
  const line = text.slice(start, end);
  if (line.trim() === '' || line.trimStart().startsWith('[')) return undefined;
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

const NAME = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)`;
const DOTTED = String.raw`${NAME}(?:[ \t]*\.[ \t]*${NAME})*`;
const ENTRY = new RegExp(String.raw`^([ \t]*)(?:\[{1,2}[ \t]*(${DOTTED})|(${DOTTED})([ \t]*=[ \t]*))`, 'gm');

/** The parser keeps no positions. Our settings are one entry a line, so that lines are enough to find them again. */
function locator(file: TextFile): TomlText['locate'] {
  const found = new Map<string, { key: number; value: number }>();
  let table: string[] = [];
  for (const match of file.text.matchAll(ENTRY)) {
    const [, indent = '', header, key, equals = ''] = match;
    const start = match.index + indent.length;
    if (header !== undefined) table = namesIn(header);
    const path = header === undefined ? [...table, ...namesIn(key ?? '')] : table;
    const at = header === undefined ? start : match.index + match[0].length - header.length;
    found.set(path.join('\0'), { key: at, value: at + (key?.length ?? 0) + equals.length });
  }
  return (path, what) => {
    const whole = found.get(path.join('\0'));
    if (whole) return file.at(whole[what]);
    for (let length = path.length - 1; length > 0; length -= 1) {
      const around = found.get(path.slice(0, length).join('\0'));
      if (around) return file.at(around.key);
    }
    return undefined;
  };
}

function namesIn(dotted: string): string[] {
  return [...dotted.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replace(/^["']|["']$/g, ''));
}
