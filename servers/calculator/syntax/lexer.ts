import { findFunction } from '../functions/table.ts';
import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { findUnit, unspacedNames } from '../units/unit.ts';
import { readNumber } from './number.ts';
import type { Source } from './source.ts';
import type { Token } from './token.ts';
import { JAPANESE, SPOKEN } from './words.ts';

const OPERATOR = /^(?:\*\*|\/\/|<<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%^()[\],!<>&|~√∛.=])/;
const SPELLING: ReadonlyMap<string, string> = new Map([
  ['**', '^'],
  ['&&', 'and'],
  ['||', 'or'],
  ['->', 'to'],
]);
const NAME = /^(?:[πτφ]|°[CF]?(?![A-Za-z])|[A-Za-z_μΩΩ][\wμΩΩ]*)/;
const UNSPACED: ReadonlySet<string> = new Set([...JAPANESE, ...unspacedNames()]);
const LONGEST = Math.max(...[...UNSPACED].map((name) => name.length));
const WIDE_RUN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/u;

/** Splits a source into tokens, of which the last is the end. Refuses signs that the language does not have. */
export function tokenize(source: Source): Token[] {
  const { text, at } = source;
  const tokens: Token[] = [];
  const brackets: Bracket[] = [];
  let spaced = false;
  for (let index = 0; index < text.length; ) {
    const rest = text.slice(index);
    const space = /^\s+/.exec(rest)?.[0];
    if (space !== undefined) {
      spaced = true;
      index += space.length;
      continue;
    }
    const [token, length] = next(rest, at[index] ?? 0, spaced, tokens, brackets.at(-1));
    tokens.push(token);
    if (tokens.length > LIMITS.tokens) throw new Refusal('tooComplex', { position: token.at });
    trackBrackets(brackets, token, tokens.at(-2));
    spaced = false;
    index += length;
  }
  tokens.push({ kind: 'end', text: '', at: at[text.length] ?? 0, spaced });
  return tokens;
}

/** Whether commas separate values here, and whether only one value is due anyway. */
interface Bracket {
  readonly separates: boolean;
  readonly single: boolean;
}

function next(
  rest: string,
  at: number,
  spaced: boolean,
  before: readonly Token[],
  bracket: Bracket | undefined,
): [Token, number] {
  const number = numberAt(rest, at, bracket);
  if (number !== undefined) {
    const imaginary = /^[ij](?!\w)/.test(rest.slice(number.length));
    const { text, value, length } = number;
    return [{ kind: 'number', text, at, spaced, value, imaginary }, length + (imaginary ? 1 : 0)];
  }
  const previous = before.at(-1);
  const afterOperand = previous?.kind === 'number' || previous?.text === ')';
  const cross = afterOperand ? /^[xX](?=\s*[\d(.])/.exec(rest) : null;
  if (cross !== null) return [{ kind: 'operator', text: '*', at, spaced }, 1];
  for (const [pattern, text] of SPOKEN) {
    const found = pattern.exec(rest)?.[0];
    // A word is never apart from its operand, so `15 percent + 1` is a percentage.
    if (found !== undefined)
      return [{ kind: 'operator', text, at, spaced: text !== '%' && spaced }, found.length];
  }
  const name = nameAt(rest, previous?.kind === 'number' && !spaced);
  if (name !== undefined) return [{ kind: 'name', text: name, at, spaced }, name.length];
  const operator = OPERATOR.exec(rest)?.[0];
  if (operator === undefined) throw strange(rest, at);
  const text = SPELLING.get(operator) ?? operator;
  return [{ kind: /^[a-z]/.test(text) ? 'name' : 'operator', text, at, spaced }, operator.length];
}

function numberAt(rest: string, at: number, bracket: Bracket | undefined) {
  try {
    return readNumber(rest, bracket === undefined || !bracket.separates || bracket.single);
  } catch (error) {
    if (error instanceof Refusal) error.position = at;
    throw error;
  }
}

function nameAt(rest: string, glued: boolean): string | undefined {
  const run = WIDE_RUN.exec(rest)?.[0];
  if (run !== undefined) return longestKnown(run) ?? run;
  const name = NAME.exec(rest)?.[0];
  // `5ft7in`: a unit directly behind a number ends where the next number begins.
  const unit = glued && name !== undefined ? /^[A-Za-zμ]+(?=\d+[A-Za-z])/.exec(name)?.[0] : undefined;
  return unit !== undefined && findUnit(unit) !== undefined ? unit : name;
}

/** Japanese has no spaces: the longest known word that the run begins with is a name of its own. */
function longestKnown(run: string): string | undefined {
  for (let length = Math.min(run.length, LONGEST); length > 0; length -= 1) {
    const word = run.slice(0, length);
    if (UNSPACED.has(word)) return word;
  }
  return undefined;
}

function trackBrackets(brackets: Bracket[], token: Token, previous: Token | undefined): void {
  if (token.kind !== 'operator') return;
  if (token.text === ')' || token.text === ']') brackets.pop();
  if (token.text === '[') brackets.push({ separates: true, single: false });
  if (token.text === '(') {
    const called = previous?.kind === 'name' ? findFunction(previous.text) : undefined;
    const outer = brackets.at(-1)?.separates ?? false;
    brackets.push({ separates: outer || called !== undefined, single: called?.max === 1 && !called.lists });
  }
}

function strange(rest: string, position: number): Refusal {
  const sign = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (/["'`「」『』]/.test(sign)) return new Refusal('text', { position });
  if (/^\p{Sc}(?![A-Za-z{_])/u.test(rest)) return new Refusal('currency', { detail: sign, position });
  if (sign === ';' || sign === ':') return new Refusal('statement', { detail: sign, position });
  const shown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign)
    ? sign
    : `U+${(rest.codePointAt(0) ?? 0).toString(16)}`;
  return new Refusal('character', { detail: shown, position });
}
