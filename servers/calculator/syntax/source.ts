import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';

/** An expression in plain characters. `at[i]` is where `text[i]` came from in the expression as it was given. */
export interface Source {
  readonly text: string;
  readonly at: readonly number[];
}

/** Signs that people and models write, in the spelling that the lexer reads. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[...'×✕✖⨯·⋅∙•・'].map((sign) => [sign, '*'] as const),
  ...[...'÷➗∕⁄'].map((sign) => [sign, '/'] as const),
  ...[...'−–—‐‑‒➖'].map((sign) => [sign, '-'] as const),
  ...[...'“”‘’'].map((sign) => [sign, '"'] as const),
  ['➕', '+'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['→', '->'],
  ['、', ','],
  ['′', "'"],
  ['∞', 'inf'],
]);
/** Longer texts are not even looked at, whatever white space they have. */
const LONGEST = 8 * LIMITS.characters;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺';
const SUPERSCRIPTS_PLAIN = '0123456789-+';
/** Zero-width marks, byte order mark, soft hyphen, the selector after an emoji: they stand for nothing. */
const INVISIBLE = /^\p{Cf}*$/u;
const CLUSTER = /[\s\S][\p{M}\uff9e\uff9f]*/gu;

/**
 * Reads the signs of Japanese and typographic text as plain ones: full-width forms by NFKC, `×`, `÷`, `√`, superscripts
 * as powers and `½` as a fraction. Sign by sign, since NFKC over the whole would read `5²` as 52.
 */
export function plainText(expression: string): Source {
  if (expression.length > LONGEST) throw new Refusal('tooLong', { position: LIMITS.characters });
  const given = expression.trim();
  const offset = expression.length - expression.trimStart().length;
  if (given.length > LIMITS.characters) {
    throw new Refusal('tooLong', { position: offset + LIMITS.characters });
  }
  let text = '';
  const at: number[] = [];
  let raised = false;
  for (const match of given.matchAll(CLUSTER)) {
    const cluster = match[0].replaceAll(/\ufe0e|\ufe0f/g, '');
    const digit = SUPERSCRIPTS.indexOf(cluster);
    const plain = digit >= 0 ? (raised ? '' : '^') + SUPERSCRIPTS_PLAIN[digit] : spell(cluster, text);
    raised = digit >= 0;
    text += plain;
    for (let n = 0; n < plain.length; n += 1) at.push(offset + match.index);
  }
  if (text.length > 2 * LIMITS.characters)
    throw new Refusal('tooLong', { position: at[2 * LIMITS.characters] ?? 0 });
  at.push(offset + given.length);
  return { text, at };
}

/** The part of a source from `start` to `end`. */
export function cut(source: Source, start: number, end: number): Source {
  return { text: source.text.slice(start, end), at: source.at.slice(start, end + 1) };
}

function spell(cluster: string, before: string): string {
  const known = PLAIN.get(cluster);
  if (known !== undefined) return known;
  if (INVISIBLE.test(cluster)) return '';
  const plain = cluster.normalize('NFKC');
  const folded = PLAIN.get(plain);
  if (folded !== undefined) return folded;
  if (!/^\d+⁄\d+$/.test(plain)) return plain.replace('⁄', '/');
  const share = plain.replace('⁄', '/');
  return /\d\s*$/.test(before) ? ` ${share}` : `(${share})`;
}
