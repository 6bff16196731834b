/**
 * Runs a task for each item, `limit` at a time.
 * @param deadline as of `performance.now()`: no task begins after it
 * @returns the results in order; undefined for items whose task did not begin
 */
export async function runLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  deadline: number,
  task: (item: Item) => Promise<Result>,
): Promise<(Result | undefined)[]> {
  const results: (Result | undefined)[] = items.map(() => undefined);
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) {
      if (performance.now() >= deadline) return;
      results[index] = await task(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
