/**
 * Lets tasks through one at a time, each at a beat of its own, and sends away who would have to wait too long. Hashing
 * a password keeps the embedded database busy for some 70 ms: many at once must not hold up the offers.
 *
 * A beat counts from its task's beginning, and no task's result comes before the beat is over. A pause counted from its
 * end would let those who wait behind it add up how long the tasks took, and so learn which accounts there are.
 */
export interface WaitingLine {
  /** The task's result, or undefined where the line is too long to join. */
  take<Result>(task: () => Promise<Result>): Promise<Result | undefined>;
}

/**
 * @param beat from one task's beginning to the next one's, in milliseconds; a task that takes longer delays the next
 * @param longest how many may wait
 */
export function waitingLine(beat: number, longest: number, sleep = sleepFor): WaitingLine {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: async (task) => {
      if (waiting >= longest) return undefined;
      waiting += 1;
      const mine = last.then(async () => {
        const over = sleep(beat);
        try {
          return await task();
        } finally {
          await over;
          waiting -= 1;
        }
      });
      last = mine.catch(() => {});
      return await mine;
    },
  };
}

function sleepFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
