/** Rows of results, and whether they meet their goals. */

export interface Row {
  /** The measurement's name, as it is chosen on the command line. */
  readonly area: string;
  /** What was measured, with its unit. */
  readonly what: string;
  readonly ours: number;
  readonly peer?: { readonly name: string; readonly value: number };
  /** A row without a goal is for information only. */
  readonly goal?: Goal;
  /** Details behind the number. */
  readonly note?: string;
}

/** A limit for our number, or for its ratio to the peer's. */
export interface Goal {
  readonly of: 'ours' | 'ratio';
  readonly atMost?: number;
  readonly atLeast?: number;
}

export const atMost = (limit: number): Goal => ({ of: 'ours', atMost: limit });
export const atLeast = (limit: number): Goal => ({ of: 'ours', atLeast: limit });
export const ratioAtMost = (limit: number): Goal => ({ of: 'ratio', atMost: limit });
export const ratioAtLeast = (limit: number): Goal => ({ of: 'ratio', atLeast: limit });

export function ratioOf({ ours, peer }: Row): number | undefined {
  return peer && peer.value !== 0 ? ours / peer.value : undefined;
}

/** Undefined if the row has no goal. */
export function isMet(row: Row): boolean | undefined {
  if (!row.goal) return undefined;
  const value = row.goal.of === 'ours' ? row.ours : ratioOf(row);
  if (value === undefined || Number.isNaN(value)) return false;
  return value <= (row.goal.atMost ?? Number.POSITIVE_INFINITY) && value >= (row.goal.atLeast ?? 0);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
