import { distance } from 'fastest-levenshtein';

/** No known key is near half of it. */
const MAX_LENGTH = 64;

/** What is said of a key that nobody knows: the one that was probably meant, or all that are known. */
export function unknownKey(near: string | undefined, known: readonly string[]): string {
  const hint = near ? `did you mean "${near}"?` : `known here: ${known.join(', ')}`;
  return `there is no such setting; ${hint}`;
}

/** The known key that somebody meant by `key`: at most two slips away, and fewer slips than half its length. */
export function nearest(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_LENGTH) return undefined;
  const plain = key.toLowerCase().replaceAll('-', '_');
  const ranked = known.map((name) => ({ name, slips: distance(plain, name.toLowerCase()) }));
  ranked.sort((a, b) => a.slips - b.slips);
  const best = ranked[0];
  return best && best.slips <= 2 && best.slips * 2 < best.name.length ? best.name : undefined;
}
