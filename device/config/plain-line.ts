import type { Place } from './text-file.ts';

/** A table's name, or a setting of our own style with a number or a truth value. */
const PLAIN =
  /^\s*(?:\[{1,2}\s*[a-z][a-z_.-]{0,39}\s*\]{1,2}|[a-z][a-z_.-]{0,39}\s*=\s*(?:true|false|[+-]?\d[\d_.]{0,15}))\s*$/;

/**
 * The place, its line only where nothing in it can be a piece of a key. appliance.toml holds the key of the endpoint, and
 * after a slip of syntax any line may be the rest of it: position and words have to do then.
 */
export function withPlainLine({ source, ...place }: Place): Place {
  return source !== undefined && PLAIN.test(source) ? { ...place, source } : place;
}

/** A name that nobody knows, as it may be shown: one of odd characters or great length may be a key in the wrong place. */
export function shownName(name: string): string {
  return /^[A-Za-z0-9_.-]{1,40}$/.test(name) ? name : '…';
}
