/** Maps items with at most eight calls at once. Returns the results in order. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += 8) {
    results.push(...(await Promise.all(items.slice(from, from + 8).map(each))));
  }
  return results;
}
