import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localOrigin, type Settings } from '../../config/settings.ts';
import { isLocked } from '../../process/lock-file.ts';

const POLL_INTERVAL_MS = 100;
/** Longest wait, in milliseconds; the server looks for a new build every second, and renews its report as often. */
const TIMEOUT_MS = 15_000;
/** Longest wait for a product that is starting, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/** In the data folder. PORT may have been set for the running product alone. */
const ORIGIN_FILE = 'product-origin';

/** Notes where this machine reaches the product that is starting. */
export function noteOrigin(settings: Pick<Settings, 'dataDir' | 'host'>, port: number): void {
  writeFileSync(join(settings.dataDir, ORIGIN_FILE), localOrigin(settings, port), { mode: 0o600 });
}

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
  while (await isLocked(join(dataDir, 'lock'))) {
    const health = await readHealth(dataDir);
    if (health?.build === build) return 'served';
    if (health && !isFound) {
      deadline = performance.now() + timeoutMs;
      isFound = true;
    }
    if (performance.now() > deadline) return isFound ? 'late' : 'starting';
    await pause(POLL_INTERVAL_MS);
  }
  return 'stopped';
}

/** Undefined while the product does not respond. */
async function readHealth(dataDir: string): Promise<{ build?: string } | undefined> {
  try {
    const origin = readFileSync(join(dataDir, ORIGIN_FILE), 'utf8');
    const response = await fetch(`${origin}/health`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return (await response.json()) as { build?: string };
  } catch {
    return undefined;
  }
}
