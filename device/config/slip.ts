/** Typographic quotes, which word processors and Japanese input methods put where code needs the plain ones. */
const QUOTES: Record<string, string> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '「': '"',
  '」': '"',
};

/** Names the character at `offset` when it only looks like the right one: `expected ", got “`. */
export function describeSlip(text: string, offset: number): string | undefined {
  const found = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  // NFKC folds every full-width form and every odd space into its ASCII twin.
  const meant = QUOTES[found] ?? found.normalize('NFKC');
  if (meant === found || !/^[\x20-\x7e]$/.test(meant)) return undefined;
  return meant === ' ' ? 'expected a plain space, got a wide one' : `expected ${meant}, got ${found}`;
}
