import { types } from 'node:util';

/**
 * Lines and values of a settings file that people get to see. The endpoint's address is a key, and so are many values
 * in `env` and `headers`; a slip of syntax must not print them.
 */

/** Keys whose values are never shown. */
const SECRET_KEY = /url$|endpoint|token|secret|passw|key$|auth|cookie|credential/i;

/** A key and its sign; it begins where a word begins, so that a long line is gone through once. */
const ASSIGNED = /(?<![\p{L}\p{N}_.$-])([\p{L}\p{N}_.$-]+)["']?\s*[:=：＝]\s*/gu;
const VALUE = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s{"'].*/suy;
const ADDRESS = /\bwss?:\/\/[^\s"']+/gi;
const WEB_TOKEN = /\beyJ[\w-]{5,}\.[\w.-]+/g;

/** The line with its secrets as stars, one for one, so that columns stay true. */
export function maskLine(line: string): string {
  let masked = '';
  let done = 0;
  for (const { 0: assigned, 1: key = '', index } of line.matchAll(ASSIGNED)) {
    const from = index + assigned.length;
    if (from < done || !isSecretKey(key)) continue;
    VALUE.lastIndex = from;
    const value = VALUE.exec(line)?.[0] ?? '';
    masked += line.slice(done, from) + stars(value);
    done = from + value.length;
  }
  return (masked + line.slice(done)).replace(ADDRESS, stars).replace(WEB_TOKEN, stars);
}

export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** What was found where something else was due. A secret's place shows the kind alone. */
export function describe(value: unknown, secret: boolean): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return '[…]';
  if (types.isDate(value)) return 'a date';
  if (typeof value === 'object') return '{…}';
  if (secret)
    return (
      { string: 'other text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? ''
    );
  // A text in the wrong place may be a key that was pasted there.
  return typeof value === 'string' ? 'text' : String(value);
}

function stars(text: string): string {
  return text.replace(/[^"']/gu, '*');
}
