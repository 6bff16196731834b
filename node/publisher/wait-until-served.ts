import { setTimeout as pause } from 'node:timers/promises';
import { callTool, findRunning } from '../embedded-backend/call-owner-tool.ts';

const POLL_INTERVAL_MS = 100;
/** Longest wait, in milliseconds; the server looks for a new build every second. */
const TIMEOUT_MS = 15_000;

/**
 * Waits until the running product serves a build and takes offers for its catalogue.
 * @returns `stopped` if no product runs on this data folder
 */
export async function waitUntilServed(
  dataDir: string,
  build: string,
  timeoutMs = TIMEOUT_MS,
): Promise<'served' | 'stopped' | 'late'> {
  const ends = performance.now() + timeoutMs;
  while (performance.now() < ends) {
    const running = await findRunning(dataDir);
    if (!running) return 'stopped';
    try {
      const response = await callTool(running, 'published-build');
      if (((await response.json()) as { build: string | null }).build === build) return 'served';
    } catch {
      // The database is being restarted.
    }
    await pause(POLL_INTERVAL_MS);
  }
  return 'late';
}
