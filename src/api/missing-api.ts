/**
 * Whether an error means that this browser lacks an API or blocks it. Not for errors of `fetch`, which rejects with a
 * `TypeError` without a network.
 */
export function isMissingApi(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    (error instanceof Error && error.name === 'SecurityError')
  );
}
