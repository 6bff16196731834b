import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeLock } from '../../process/lock-file.ts';
import { UserError } from '../../process/user-error.ts';

/** In the clone's folder. */
const LOCK = '.astro/catalogue.lock';

/** Another command or request is changing the catalogue. */
export class CatalogueLocked extends UserError {}

/**
 * Keeps others from changing the catalogue: commands, and the dashboard.
 * @param timeout how long another one may still hold it, in milliseconds
 * @returns a function that releases it
 * @throws CatalogueLocked where another one holds it for longer
 */
export async function lockCatalogue(cwd: string, timeout: number): Promise<() => void> {
  const lock = join(cwd, LOCK);
  mkdirSync(dirname(lock), { recursive: true });
  const release = await takeLock(lock, timeout);
  if (release) return release;
  throw new CatalogueLocked(
    'Another npm run catalogue is changing the catalogue, or waits for an answer. Nothing was written: end that one first.',
  );
}
