import type { StoredMove } from '#contract/negotiation.ts';

const DAY_MS = 86_400_000;

/**
 * Days that are left of a counter-offer, to the nearest one: 7 are still 7 an hour later; 0 below a whole one. Undefined where none
 * is left by the visitor's clock; where that is behind, no more than there were.
 */
export function daysLeft({ at, valid_until }: StoredMove, now = Date.now()): number | undefined {
  const end = Date.parse(valid_until ?? '');
  const left = end - Math.max(now, Date.parse(at));
  if (!(left > 0)) return undefined;
  return left < DAY_MS ? 0 : Math.round(left / DAY_MS);
}
