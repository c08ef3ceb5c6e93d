/**
 * Name patterns: `*`, `?`, `[a-z]`, `[!a]`, `{jpg,png}`, and `**` over folders where the pattern has a slash. A pattern
 * with none of these is a part of the name. Compared in NFKC without case. No regular expression is made of what a
 * caller writes. Undefined: to compare this name would cost more than MAX_STEPS.
 */
export type Matcher = (name: string, path: string) => boolean | undefined;

const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 32;
/** About 10 ms of a desktop processor; an ordinary pattern and name take some hundred. */
const MAX_STEPS = 4_000_000;

/** One character may become 18 in NFKC (U+FDFA), so that both forms are measured. */
export function isTooLong(pattern: string): boolean {
  return pattern.length > MAX_PATTERN || fold(pattern).length > MAX_PATTERN;
}

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
  const alternatives = [...new Set(expand(plain))].map(tokenise);
  return (name, path) => {
    const text = [...fold(onPath ? path : name)];
    let steps = 0;
    for (const tokens of alternatives) {
      steps += costOf(tokens) * (text.length + 1);
      if (steps > MAX_STEPS) return undefined;
      if (matches(tokens, text)) return true;
    }
    return false;
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

/** Steps for each character of a name. */
function costOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + (token.kind === 'set' ? 1 + token.ranges.length : 1), 0);
}

/** Which lengths of `text` the tokens so far can match, in one row for all, so that no pattern makes it explode. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  const reachable = new Uint8Array(text.length + 1);
  reachable[0] = 1;
  // Every token but the stars takes one character: nothing shorter can be reached.
  let shortest = 0;
  for (const token of tokens) {
    if (token.kind === 'many' || token.kind === 'deep') {
      for (let length = shortest + 1; length <= text.length; length += 1) {
        const grows = reachable[length - 1] === 1 && (token.kind === 'deep' || text[length - 1] !== '/');
        if (grows) reachable[length] = 1;
      }
      continue;
    }
    for (let length = text.length; length > shortest; length -= 1) {
      const goesOn = reachable[length - 1] === 1 && fits(token, text[length - 1] ?? '');
      reachable[length] = goesOn ? 1 : 0;
    }
    if (shortest > text.length) return false;
    reachable[shortest] = 0;
    shortest += 1;
  }
  return reachable[text.length] === 1;
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
