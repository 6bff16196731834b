/** Programs that a measurement needs: without one, its rows are left out. */
import { spawnSync } from 'node:child_process';

/** Returns and logs the tools that are not installed. */
export function missingTools(...tools: string[]): string[] {
  const absent = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (absent.length > 0)
    console.log(`Not installed here: ${absent.join(', ')}. Rows that need it are left out.`);
  return absent;
}
