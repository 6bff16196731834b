import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of bytes to write: more than PostgreSQL writes for an offer. */
const PROBE = Buffer.alloc(64 * 1024);

/** Why the data folder cannot be written, such as on a full or read-only disk; undefined if it can. */
export async function findWriteProblem(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, 'write-probe');
  try {
    await writeFile(file, PROBE, { mode: 0o600 });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `The data folder cannot be written (${code}): make room on its disk, or make it writable. Until then no offer is stored.`;
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
