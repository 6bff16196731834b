/** Rejects when the signal aborts before there is a result. What was begun goes on. */
export async function untilAborted<Result>(
  signal: AbortSignal,
  begin: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([begin(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
