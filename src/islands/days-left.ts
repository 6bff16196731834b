import type { StoredMove } from '#contract/negotiation.ts';

const DAY_MS = 86_400_000;

/**
 * Whole days that are left of a counter-offer. Undefined where none is left by the visitor's clock; where that is behind, no
 * more than there were.
 */
export function daysLeft({ at, valid_until }: StoredMove, now = Date.now()): number | undefined {
  const end = Date.parse(valid_until ?? '');
  const left = end - Math.max(now, Date.parse(at));
  return left > 0 ? Math.floor(left / DAY_MS) : undefined;
}
