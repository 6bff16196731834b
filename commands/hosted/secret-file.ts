import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Read by one step of a deployment. In the Supabase CLI's own folder, which Git ignores. */
export const SECRET_FILE = 'supabase/.temp/deploy-secrets';

/**
 * Writes the file for its user alone to read, and removes it after `run`, also where Ctrl-C ends the process. What a killed
 * process has left is removed first.
 * @param content undefined: no file is written
 */
export async function withSecretFile<Result>(
  content: string | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  removeSecretFile();
  if (content === undefined) return await run();
  process.once('exit', removeSecretFile);
  try {
    mkdirSync(dirname(SECRET_FILE), { recursive: true });
    writeFileSync(SECRET_FILE, content, { mode: 0o600 });
    return await run();
  } finally {
    process.off('exit', removeSecretFile);
    removeSecretFile();
  }
}

function removeSecretFile(): void {
  rmSync(SECRET_FILE, { force: true });
}
