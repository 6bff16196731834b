/** Does something with each of many, eight at once, and answers the results in their order. */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += 8) {
    results.push(...(await Promise.all(items.slice(from, from + 8).map(each))));
  }
  return results;
}
