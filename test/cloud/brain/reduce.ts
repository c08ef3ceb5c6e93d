/** A way to say arithmetic in words, and the expression that it stands for. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly expression: (a: string, b: string) => string;
}

/** A number, or what was read before; not the tail of a number, nor of a sum that has begun in signs. */
const EARLIER = '⟨\\d+⟩';
const NUMBER = `(?<![-\\d.,+*/^%])(?:-?\\d[\\d,]*(?:\\.\\d+)?%?|${EARLIER})`;

/** A phrase by its pattern, in which `N` is a number or an earlier result, and `R` an earlier result only. */
export function phrase(pattern: string, expression: (a: string, b: string) => string): Phrase {
  const source = pattern.replaceAll('N', `(${NUMBER})`).replaceAll('R', `(${EARLIER})`);
  return { pattern: new RegExp(source), expression };
}

/**
 * Puts expressions in the place of phrases, leftmost first, until nothing changes: so one may go on with the result of
 * another, as in 「100から25を引いて3を掛ける」. What `after` matches at the end is dropped.
 */
export function reduce(text: string, phrases: readonly Phrase[], after: RegExp): string {
  const read: string[] = [];
  let rest = text;
  for (let found = leftmost(rest, phrases); found !== undefined; found = leftmost(rest, phrases)) {
    read.push(found.expression);
    rest = `${rest.slice(0, found.from)}⟨${read.length - 1}⟩${rest.slice(found.to)}`;
  }
  rest = rest.replace(after, '');
  return unfold(rest, read, /^⟨\d+⟩$/.test(rest));
}

function leftmost(text: string, phrases: readonly Phrase[]) {
  let best: { from: number; to: number; expression: string } | undefined;
  for (const { pattern, expression } of phrases) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const from = found.index;
    const to = from + found[0].length;
    // Of two at the same place the longer says more.
    if (best === undefined || from < best.from || (from === best.from && to > best.to)) {
      best = { from, to, expression: expression(found[1] ?? '', found[2] ?? '') };
    }
  }
  return best;
}

function unfold(text: string, read: readonly string[], bare: boolean): string {
  return text.replace(/⟨(\d+)⟩/g, (_, index) => {
    const inner = unfold(read[Number(index)] ?? '', read, false);
    return bare || inner.startsWith('sqrt(') ? inner : `(${inner})`;
  });
}
