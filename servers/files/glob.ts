/**
 * Name patterns: `*`, `?`, `[a-z]`, `[!a]`, `{jpg,png}`, and `**` over folders where the pattern has a slash. A pattern
 * with none of these is a part of the name. Compared in NFKC without case. No regular expression is made of what a
 * caller writes; the work is bounded by the lengths of pattern and name.
 */
export type Matcher = (name: string, path: string) => boolean;

export const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 32;

type Token =
  | { readonly kind: 'character'; readonly value: string }
  | { readonly kind: 'any' | 'many' | 'deep' }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** `name` and `path` (relative to where the search began) are what is matched. */
export function matcherOf(pattern: string): Matcher {
  const plain = fold(pattern).replace(/^(?:\.?\/)+/, '');
  const onPath = plain.includes('/');
  if (!/[*?[\]{}]/.test(plain)) return (name, path) => fold(onPath ? path : name).includes(plain);
  const alternatives = expand(plain).map(tokenise);
  return (name, path) => {
    const text = [...fold(onPath ? path : name)];
    return alternatives.some((tokens) => matches(tokens, text));
  };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** `a{b,c}d` -> `abd`, `acd`; braces that do not close stay as they are. */
function expand(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(next);
    if (match === null || done.length + open.length >= MAX_ALTERNATIVES) {
      done.push(next);
      continue;
    }
    const [, before = '', inside = '', after = ''] = match;
    open.push(...inside.split(',').map((each) => `${before}${each}${after}`));
  }
  return done.slice(0, MAX_ALTERNATIVES);
}

function tokenise(pattern: string): Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const value = characters[at] ?? '';
    const close = value === '[' ? characters.indexOf(']', at + 2) : -1;
    if (value === '*') {
      const deep = characters[at + 1] === '*';
      if (deep) at += 1;
      // `**/` also stands for no folder at all.
      if (deep && characters[at + 1] === '/') at += 1;
      tokens.push({ kind: deep ? 'deep' : 'many' });
    } else if (value === '?') {
      tokens.push({ kind: 'any' });
    } else if (close !== -1) {
      tokens.push(setOf(characters.slice(at + 1, close)));
      at = close;
    } else {
      tokens.push({ kind: 'character', value });
    }
  }
  return tokens;
}

function setOf(inside: readonly string[]): Token {
  const negated = inside[0] === '!' || inside[0] === '^';
  const ranges: [string, string][] = [];
  for (let at = negated ? 1 : 0; at < inside.length; at += 1) {
    const from = inside[at] ?? '';
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length;
    ranges.push([from, isRange ? (inside[at + 2] ?? '') : from]);
    if (isRange) at += 2;
  }
  return { kind: 'set', negated, ranges };
}

/** Which lengths of `text` the tokens so far can match: one row for each token, so no pattern makes it explode. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let reachable = text.map(() => false);
  reachable = [true, ...reachable];
  for (const token of tokens) {
    const next = reachable.map(() => false);
    for (let length = 0; length <= text.length; length += 1) {
      if (token.kind === 'many' || token.kind === 'deep') {
        const grows = length > 0 && next[length - 1] && (token.kind === 'deep' || text[length - 1] !== '/');
        next[length] = reachable[length] === true || grows === true;
      } else if (length > 0 && reachable[length - 1]) {
        next[length] = fits(token, text[length - 1] ?? '');
      }
    }
    reachable = next;
  }
  return reachable[text.length] === true;
}

function fits(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'character':
      return token.value === character;
    case 'any':
      return character !== '/';
    case 'set':
      return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.negated;
    case 'many':
    case 'deep':
      return false;
  }
}
