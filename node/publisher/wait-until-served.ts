import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isLocked } from '../config/lock-file.ts';
import { callControl, findRunning } from '../embedded-backend/call-control.ts';

const POLL_INTERVAL_MS = 100;
/** Longest wait, in milliseconds; the server looks for a new build every second. */
const TIMEOUT_MS = 15_000;
/** Longest wait for a product that is starting, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/**
 * Waits until the running product serves a build and takes offers for its catalogue.
 * @returns `stopped` if no product runs on this data folder; `starting` if another process still holds the folder, such as
 *   a product that starts
 */
export async function waitUntilServed(
  dataDir: string,
  build: string,
  timeoutMs = TIMEOUT_MS,
  startTimeoutMs = START_TIMEOUT_MS,
): Promise<'served' | 'stopped' | 'starting' | 'late'> {
  let deadline = performance.now() + startTimeoutMs;
  let isFound = false;
  for (;;) {
    const running = await findRunning(dataDir);
    if (running) {
      if (!isFound) deadline = performance.now() + timeoutMs;
      isFound = true;
      try {
        const response = await callControl(running, 'published-build');
        if (((await response.json()) as { build: string | null }).build === build) return 'served';
      } catch {
        // The database is being restarted.
      }
    } else if (!(await isLocked(join(dataDir, 'lock')))) return 'stopped';
    if (performance.now() > deadline) return isFound ? 'late' : 'starting';
    await pause(POLL_INTERVAL_MS);
  }
}
