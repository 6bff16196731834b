/** Programs of the machine that a measurement may need: without one, its rows are left out. */
import { spawnSync } from 'node:child_process';

/** The tools of these that are not installed; says so. */
export function missing(...tools: string[]): string[] {
  const absent = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (absent.length > 0)
    console.log(`Not installed here: ${absent.join(', ')}. Rows that need it are left out.`);
  return absent;
}
