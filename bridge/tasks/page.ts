/** A list of so many fits into the answer of any cloud. */
const PAGE = 25;

/** One page of a list: the part behind `cursor`, which is how many came before, and the next cursor where there is more. */
export function pageOf(key: string, items: readonly object[], cursor: unknown): object {
  const from = typeof cursor === 'string' && /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
  const to = from + PAGE;
  return { [key]: items.slice(from, to), ...(to < items.length ? { nextCursor: String(to) } : {}) };
}
