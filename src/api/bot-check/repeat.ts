import { retryDelayMs } from '../retry-delay.ts';
import type { BotCheckReport } from './provider.ts';
import { untilVisible, wait } from './waiting.ts';

/** Delays after the first failures in a row, which are not shown, such as those of a tunnel. */
const QUIET_DELAYS_MS = [1_000, 2_000];

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
  const quiet = QUIET_DELAYS_MS.length;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await attempt(() => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) return;
      if (isMissingApi(error)) return report.unsupported();
    }
    const retryAt = Date.now() + (QUIET_DELAYS_MS[failures] ?? retryDelayMs(failures - quiet));
    if (failures >= quiet) report.failed(retryAt);
    await wait(retryAt, signal).catch(() => {});
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
