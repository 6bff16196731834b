import { findProcess, killHard, type Part } from '../support/processes.ts';
import type { AbusedProduct } from './abused-product.ts';
import { count } from './report.ts';

/** Kills parts of a product at once. Returns how many there were to kill. */
export function killParts(product: AbusedProduct, victims: readonly Part[]): number {
  // Looked up before the first kill: children of a killed parent get another one.
  const pids = victims
    .map((part) => findProcess(product.process.pid ?? 0, part))
    .filter((pid) => pid !== undefined);
  for (const pid of pids) killHard(pid);
  count('kills', pids.length);
  return pids.length;
}
