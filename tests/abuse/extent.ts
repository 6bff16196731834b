import { SEED } from './seeded-random.ts';

/** How much is tried: everything (`npm run test:abuse`), or the shorter form that `npm test` runs. */
export const SHORT = process.env.ABUSE_SHORT === '1';

/** A number of tries, by the extent of this run. */
export function tries(full: number, short: number): number {
  return SHORT ? short : full;
}

/** fast-check's settings: the short form always tries the same inputs, the full one those of the run's seed. */
export function checks(full: number, short: number): { numRuns: number; seed: number } {
  return SHORT ? { numRuns: short, seed: 20_261_120 } : { numRuns: full, seed: SEED };
}
