/**
 * Creates a call of `run` that begins after the run under way has ended. Calls that come meanwhile share one run, and its
 * result.
 */
export function oneAtATime<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    if (next) return next;
    next = last
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    last = next;
    return next;
  };
}
