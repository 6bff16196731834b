/**
 * Lets tasks through one at a time, with a pause after each, and sends away who would have to wait too long. Hashing a
 * password keeps the embedded database busy for some 70 ms: many at once must not hold up the offers.
 */
export interface WaitingLine {
  /** The task's result, or undefined where the line is too long to join. */
  take<Result>(task: () => Promise<Result>): Promise<Result | undefined>;
}

/**
 * @param pause after each task, in milliseconds
 * @param longest how many may wait
 */
export function waitingLine(pause: number, longest: number): WaitingLine {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: async (task) => {
      if (waiting >= longest) return undefined;
      waiting += 1;
      const mine = last.then(task).finally(() => {
        waiting -= 1;
      });
      last = mine.catch(() => {}).then(() => new Promise((resolve) => setTimeout(resolve, pause)));
      return await mine;
    },
  };
}
