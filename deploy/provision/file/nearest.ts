import { distance } from 'fastest-levenshtein';

/** The known name that somebody meant: at most two slips away, and fewer slips than half its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const plain = name.toLowerCase().replaceAll('-', '_');
  const ranked = known.map((word) => ({ word, slips: distance(plain, word) }));
  ranked.sort((a, b) => a.slips - b.slips);
  const best = ranked[0];
  return best && best.slips <= 2 && best.slips * 2 < best.word.length ? best.word : undefined;
}
