import { formOf } from './names.ts';
import { Refusal } from './refusal.ts';

const MAX_BYTES = 4096;
export const MAX_DEPTH = 64;

/**
 * What a caller wrote, as names below the root. Absolute paths are taken where they begin with the root; `..` is
 * resolved here, by text alone, and never reaches the system. Fails with `FILES_OUTSIDE` for what leaves the root.
 */
export function readPath(given: unknown, spellings: readonly string[]): string[] {
  if (given === undefined || given === null || given === '') return [];
  if (typeof given !== 'string') {
    throw new Refusal('FILES_ARGUMENT', (words) => words.argument('path', 'path'));
  }
  if (given.includes('\0') || Buffer.byteLength(given) > MAX_BYTES) throw unusable();
  const names = resolved(given.startsWith('/') ? belowRoot(given, spellings) : given.split('/'));
  if (names.length > MAX_DEPTH) throw unusable();
  return names;
}

function belowRoot(given: string, spellings: readonly string[]): string[] {
  const parts = given.split('/').filter((part) => part !== '');
  for (const spelling of spellings) {
    const root = spelling.split('/').filter((part) => part !== '');
    // Part by part: `/srv/share-old` is not below `/srv/share`.
    if (root.every((part, index) => formOf(part) === formOf(parts[index] ?? '')))
      return parts.slice(root.length);
  }
  throw outside();
}

function resolved(parts: readonly string[]): string[] {
  const names: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') names.push(part);
    else if (names.pop() === undefined) throw outside();
  }
  return names;
}

function outside(): Refusal {
  return new Refusal('FILES_OUTSIDE', (words) => words.outside());
}

function unusable(): Refusal {
  return new Refusal('FILES_NOT_FOUND', (words) => words.argument('path', 'path'));
}
