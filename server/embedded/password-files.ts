import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files with generated passwords, which the commands write (show-password.ts). */
const PASSWORD_FILE = /^admin-password(?:-\d+)?\.txt$/;

/** Finds those whose password opens an account. Others may be another account's, or a hosted project's. */
export async function findPasswordFiles(
  dataDir: string,
  opens: (password: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of readdirSync(dataDir).filter((one) => PASSWORD_FILE.test(one))) {
    const file = join(dataDir, name);
    if (await opens(readFileSync(file, 'utf8').trim())) found.push(file);
  }
  return found;
}
