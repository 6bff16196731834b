/**
 * Pause before a repetition of which the visitor is told, in milliseconds: 5 s, 10 s, 20 s, 40 s, then always 60 s.
 * @param failures that were told before
 */
export function retryDelayMs(failures: number): number {
  return Math.min(5_000 * 2 ** failures, 60_000);
}
