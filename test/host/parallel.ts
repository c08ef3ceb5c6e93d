/** Does `work` on every item, `width` of them at a time; the results stand in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lanes = Array.from({ length: Math.max(1, Math.min(width, items.length)) }, async () => {
    // All lanes draw from the one queue.
    for (const [index, item] of queue) results[index] = await work(item);
  });
  await Promise.all(lanes);
  return results;
}
