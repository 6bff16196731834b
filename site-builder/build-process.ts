/**
 * Builds as a process of its own, for a running product: with lower priority, and ended before the product where memory runs
 * out. The first line of its input has the settings that a build needs, as JSON.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Settings } from '../config/settings.ts';
import { messageFor } from '../process/report-and-exit.ts';
import { buildSite } from './build-site.ts';

const NICE = 10;
/** Of the kernel's choice, where 1,000 is the first process to end. */
const OUT_OF_MEMORY_SCORE = 800;

ifPossible(() => setPriority(NICE));
ifPossible(() => writeFileSync('/proc/self/oom_score_adj', String(OUT_OF_MEMORY_SCORE)));
// The parent process has ended.
const input = createInterface({ input: process.stdin }).once('close', () => process.exit(1));
input.once('line', (line) => void build(JSON.parse(line) as Settings));

async function build(settings: Settings): Promise<void> {
  try {
    await buildSite(settings);
  } catch (error) {
    console.error(messageFor(error) ?? error);
    process.exit(1);
  }
  process.exit(0);
}

/** A service may be forbidden to, and other systems lack it. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch {}
}
