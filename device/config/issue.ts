import { describe, isSecretKey } from './mask.ts';
import { nearest, unknownKey } from './nearest.ts';
import { shownName } from './plain-line.ts';
import type { Problem } from './problem.ts';
import type { Issue } from './schema.ts';
import type { TextFile } from './text-file.ts';
import type { TomlText } from './toml-text.ts';

/** An issue of the schema in words for the person who wrote the file. */
export function problemOf(issue: Issue, file: TextFile, toml: TomlText): Problem {
  const place = toml.locate(issue.path, issue.kind);
  const common = {
    severity: 'error',
    file: file.name,
    ...place,
    path: shownPath(issue) || undefined,
  } as const;
  if (issue.kind === 'value') {
    const { expected } = issue;
    const value = valueAt(toml.raw, issue.path);
    const got =
      issue.against?.got ?? wordFor(value, expected) ?? describe(value, isSecretKey(issue.path.at(-1) ?? ''));
    return clean({ code: 'CONFIG_INVALID', ...common, detail: `expected ${expected}, got ${got}` });
  }
  const name = issue.path.at(-1) ?? '';
  const detail = unknownKey(nearest(name, issue.known), issue.known);
  return clean({ code: 'CONFIG_UNKNOWN_KEY', ...common, detail });
}

/** A text that can be shown, since no key looks so: a short word where one of some words is due, a number in quotes. */
function wordFor(value: unknown, expected: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const isNumber = expected.includes('a whole number') && /^-?\d{1,7}$/.test(value);
  const isTruth = expected === 'true or false' && /^(?:true|false)$/.test(value);
  if (isNumber || isTruth) return `"${value}"; write ${value} without quotes`;
  return expected.startsWith('"') && /^[a-z][a-z_-]{0,15}$/.test(value) ? `"${value}"` : undefined;
}

/** The path; an unknown name in it only where it looks like a setting or a slip in one. */
function shownPath({ kind, path, ...issue }: Issue): string {
  if (kind === 'value' || !('known' in issue)) return path.join('.');
  const name = path.at(-1) ?? '';
  const looksOwn = /^[a-z][a-z_-]*$/.test(name) || nearest(name, issue.known) !== undefined;
  return [...path.slice(0, -1), looksOwn ? shownName(name) : '…'].join('.');
}

/** The parsed file without the entries that the issues name. Copies two levels: no setting lies deeper. */
export function without(raw: Record<string, unknown>, issues: readonly Issue[]): Record<string, unknown> {
  const whole = new Set<string>();
  const parts = new Map<string, Set<string>>();
  for (const issue of issues) {
    const other = issue.kind === 'value' && issue.against ? [issue.against.path] : [];
    for (const [name = '', key] of [issue.path, ...other]) {
      if (key === undefined) whole.add(name);
      else parts.set(name, (parts.get(name) ?? new Set()).add(key));
    }
  }
  const kept = Object.entries(raw).filter(([name]) => !whole.has(name));
  return Object.fromEntries(
    kept.map(([name, table]) => {
      const out = parts.get(name);
      if (!(out && isTable(table))) return [name, table];
      return [name, Object.fromEntries(Object.entries(table).filter(([key]) => !out.has(key)))];
    }),
  );
}

function valueAt(raw: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, key) => (isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    raw,
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Loose = { [Key in keyof Problem]: Problem[Key] | undefined };

function clean(problem: Loose): Problem {
  return Object.fromEntries(
    Object.entries(problem).filter(([, value]) => value !== undefined),
  ) as unknown as Problem;
}
