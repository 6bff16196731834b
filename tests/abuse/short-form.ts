import { SEED } from './seeded-random.ts';

/** Whether the short form runs instead of the full one (`npm run test:abuse`). */
export const SHORT = process.env.ABUSE_SHORT === '1';

/** Returns the number of runs in this form. */
export function runsOf(full: number, short: number): number {
  return SHORT ? short : full;
}

/** Returns fast-check's settings. The short form always uses the same seed. */
export function fastCheckSettings(full: number, short: number): { numRuns: number; seed: number } {
  return SHORT ? { numRuns: short, seed: 20_261_120 } : { numRuns: full, seed: SEED };
}
