import type { BotCheckReport } from './provider.ts';
import { untilVisible, wait } from './waiting.ts';

/** Delays before the repetitions of a check that failed; the last one applies to all further ones. */
const DELAYS_MS = [1_000, 2_000, 5_000];
/** Failures in a row that are not shown, such as those of a tunnel. */
const QUIET_FAILURES = 2;

/**
 * Attempts a check until one resolves. The first failures in a row are not reported. A browser that lacks an API gets no
 * further attempt.
 * @param attempt calls `succeeded` where it goes on after a success
 */
export async function repeat(
  attempt: (succeeded: () => void) => Promise<void>,
  report: Pick<BotCheckReport, 'failed' | 'unsupported'>,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await attempt(() => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isMissingApi(error)) return report.unsupported();
    }
    if (failures >= QUIET_FAILURES) report.failed();
    const delayMs = DELAYS_MS[Math.min(failures, DELAYS_MS.length - 1)] ?? 0;
    await wait(Date.now() + delayMs, signal).catch(() => {});
    // A tab in the background does no work.
    await untilVisible(signal);
  }
}

/**
 * Whether an error means that this browser lacks an API or blocks it. Not for errors of `fetch`, which rejects with a
 * `TypeError` without a network.
 */
function isMissingApi(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    (error instanceof Error && error.name === 'SecurityError')
  );
}
