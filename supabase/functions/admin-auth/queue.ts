/**
 * A queue that runs one task at a time, each at the start of an interval, and rejects tasks beyond its length. Hashing a
 * password keeps the embedded database busy for some 70 ms: many at once must not delay the offers.
 *
 * An interval counts from the start of its task, and no result is returned before it is over. A pause after the end of a
 * task would let those who wait add up how long the tasks took, and so find out which accounts exist.
 */
export interface Queue {
  /**
   * Returns the task's result, or undefined where the queue is full.
   * @param from what the task comes from; of one source only so many may wait
   */
  run<Result>(from: string, task: () => Promise<Result>): Promise<Result | undefined>;
}

export interface QueueOptions {
  /** From the start of one task to that of the next, in milliseconds; a task that takes longer delays the next. */
  readonly interval: number;
  /** How many may wait, the running one included. */
  readonly length: number;
  /** How many of one source may wait. */
  readonly lengthPerSource: number;
}

export function createQueue({ interval, length, lengthPerSource }: QueueOptions, sleep = sleepFor): Queue {
  let waiting = 0;
  const waitingOf = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  const add = (from: string, by: number) => {
    waiting += by;
    const ofSource = (waitingOf.get(from) ?? 0) + by;
    if (ofSource > 0) waitingOf.set(from, ofSource);
    else waitingOf.delete(from);
  };
  return {
    run: async (from, task) => {
      if (waiting >= length || (waitingOf.get(from) ?? 0) >= lengthPerSource) return undefined;
      add(from, 1);
      const result = last.then(async () => {
        const over = sleep(interval);
        try {
          return await task();
        } finally {
          await over;
          add(from, -1);
        }
      });
      last = result.catch(() => {});
      return await result;
    },
  };
}

function sleepFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
