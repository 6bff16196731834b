export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** Lets so many calls work at one time; the others wait in the order in which they came. */
export function createWorkQueue(most: number) {
  let atWork = 0;
  const waiting = new Set<() => void>();

  const end = () => {
    atWork -= 1;
    const [next] = waiting;
    next?.();
  };
  return {
    /** Resolves when the call may begin, with a function that ends it; with undefined if the signal aborts before. */
    enter(signal: AbortSignal): Promise<(() => void) | undefined> {
      return new Promise((resolve) => {
        const begin = () => {
          waiting.delete(begin);
          signal.removeEventListener('abort', leave);
          atWork += 1;
          resolve(end);
        };
        const leave = () => {
          waiting.delete(begin);
          resolve(undefined);
        };
        if (signal.aborted) return resolve(undefined);
        signal.addEventListener('abort', leave, { once: true });
        if (atWork < most) begin();
        else waiting.add(begin);
      });
    },
  };
}
