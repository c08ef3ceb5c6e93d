import type { Node } from 'jsonc-parser';
import { type EntryValues, propertiesOf, step } from './entry-values.ts';
import { nearest } from './nearest.ts';
import { shownName } from './plain-line.ts';
import type { ToolSettings } from './server-settings.ts';

/** A tool's name is no longer, and so many of them can be chosen. */
const MAX_NAME = 1000;
const MAX_NAMES = 1000;
const KEYS = ['include', 'exclude', 'rename'] as const;

/** Reads `tools` of an entry: `{ "include": […], "exclude": […], "rename": {…} }`. What is wrong in it is a fault of the entry. */
export function readToolSettings(values: EntryValues): ToolSettings | undefined {
  const node = values.node('tools');
  if (node === undefined) return undefined;
  const report = (at: Node, path: string, detail: string) =>
    values.report('CONFIG_INVALID', 'error', at, `.tools${path}`, detail);
  if (node.type !== 'object') {
    report(node, '', 'expected {…} with include, exclude or rename, got something else');
    return undefined;
  }
  const given = new Map(propertiesOf(node));
  for (const [key, value] of given) {
    if (KEYS.includes(key as (typeof KEYS)[number])) continue;
    const near = nearest(key, KEYS);
    const hint = near ? `did you mean "${near}"?` : `known here: ${KEYS.join(', ')}`;
    const detail = `there is no such setting; ${hint}`;
    values.report(
      'CONFIG_UNKNOWN_KEY',
      'error',
      value.parent ?? value,
      `.tools${step(shownName(key))}`,
      detail,
    );
  }
  const names = (key: 'include' | 'exclude') => {
    const list = given.get(key);
    if (list === undefined) return undefined;
    const items = list.type === 'array' ? (list.children ?? []) : [];
    if (list.type !== 'array' || items.length > MAX_NAMES || !items.every(isName))
      report(list, `.${key}`, `expected […] of at most ${MAX_NAMES} names of tools, got something else`);
    return items.map(({ value }) => String(value));
  };
  const pairs = given.get('rename');
  const renamed = pairs?.type === 'object' ? propertiesOf(pairs) : [];
  if (
    pairs &&
    (pairs.type !== 'object' || renamed.length > MAX_NAMES || !renamed.every(([, to]) => isName(to)))
  )
    report(pairs, '.rename', `expected {…} of at most ${MAX_NAMES} old and new names, got something else`);
  const include = names('include');
  const exclude = names('exclude');
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(pairs && { rename: Object.fromEntries(renamed.map(([from, { value }]) => [from, String(value)])) }),
  };
}

function isName({ type, value }: Node): boolean {
  return type === 'string' && value.length > 0 && value.length <= MAX_NAME;
}
