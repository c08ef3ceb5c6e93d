/** What of a file of keys may be shown: the file of errors lies open on the card, the log goes to whoever helps. */

/** Keys whose values are shown to nobody, also where the name has a slip in it. */
const SECRET = /url|endp|tok|secret|pas|psk|psw|pw|pin|code|key|auth|cred/i;
const ADDRESS = /\b(?:wss?|https?):\/\/[^\s"']+/gi;
/** Settings whose value is a name that people gave, and such whose value is one of some words. */
const NAMES = new Set(['name', 'ssid']);
const WORDS = new Set(['language', 'country', 'time_zone', 'log_level', 'mode']);
const MAX_SHOWN = 100;
export const STARS = '***';
const UNNAMED = '…';

const TEXT = /^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/u;
const WORD = /^(?:"[A-Za-z][A-Za-z/_-]{0,19}"?|'[A-Za-z][A-Za-z/_-]{0,19}'?)(?=\s|$)/;
const NUMBER = /^(?:true|false|[+-]?\d{1,4}(?:\.\d{1,4})?)(?=\s|$)/;

/**
 * A line of the file as it may be shown: the head of a table, or a setting with a value that can be no key. Anything else
 * may be the middle of a key that goes over several lines, a key that was pasted to the wrong place, or one under a name
 * with a slip in it: then there are stars in its place.
 */
export function shownLine(line: string): string {
  const head = /^(\s*\[{1,2}\s*)([^\s\]]+)(\s*\]{0,2})/u.exec(line);
  if (head) return isPlain(head[2] ?? '') ? head[0] : STARS;
  const [, before = '', key = '', value = ''] =
    /^(\s*([\p{L}\p{N}_.-]+)\s*(?:[=＝：]|:(?!\/\/))\s*)(.*)$/u.exec(line) ?? [];
  if (before === '' || !isPlain(key)) return STARS;
  const [shown = ''] = shape(key)?.exec(value) ?? [];
  const rest = value.slice(shown.length);
  const blank = /^\s*/.exec(rest)?.[0] ?? '';
  const isOver = shown !== '' && /^\s*(?:#.*)?$/.test(rest);
  const text = before + shown + (isOver ? '' : (shown === '' ? '' : blank) + STARS);
  return text.replace(ADDRESS, STARS).slice(0, MAX_SHOWN);
}

/** The setting that a problem is about; a part of it that looks like no setting may be a key in the wrong place. */
export function shownPath(path: string): string {
  return path
    .split('.')
    .map((name) => (isPlain(name) ? name : UNNAMED))
    .join('.')
    .slice(0, MAX_SHOWN);
}

function shape(key: string): RegExp | undefined {
  const last = key.split('.').at(-1) ?? '';
  if (NAMES.has(last)) return TEXT;
  if (WORDS.has(last)) return WORD;
  return SECRET.test(last) ? undefined : NUMBER;
}

/** Keys are of digits and of letters of both sizes; names of settings are not. */
function isPlain(name: string): boolean {
  if (!/^[\p{L}_.-]{1,40}$/u.test(name)) return false;
  return /^\p{Lu}?\P{Lu}*$/u.test(name) || name === name.toUpperCase();
}
