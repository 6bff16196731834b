import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/settings.ts';
import { isFresh } from '../../site-builder/build-hash.ts';

/**
 * Returns the error of the catalogue or the owner's branding, with file, line, entry and field. Never blocks for long, because
 * pages are served meanwhile: a catalogue of 10,000 entries takes a second to check, and needs 140 MB.
 */
export async function catalogueProblem(settings: Settings): Promise<string | undefined> {
  // Each build has checked what it was made from.
  if (isUpToDate(settings)) return undefined;
  const worker = new Worker(new URL('./check-catalogue.ts', import.meta.url));
  try {
    const [problem] = await once(worker, 'message');
    return problem;
  } catch (error) {
    return `The catalogue could not be checked: ${error instanceof Error ? error.message : error}`;
  }
}

/** Whether the last build is what a build would make now; false also where that cannot be read, which a build reports. */
export function isUpToDate(settings: Settings): boolean {
  try {
    return isFresh(settings);
  } catch {
    return false;
  }
}
