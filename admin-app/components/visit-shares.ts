/** What the numbers of a name say, in words. */
import type { NameNumbers } from '#contract/calls.ts';

/** A share of fewer visits says nothing. */
const FEWEST_VISITS = 30;

/** Of visits in 30 days against the 30 before: `18 %`, or that there were too few. */
export function changeOf({ month, before }: NameNumbers): { arrow?: 'up' | 'down'; text: string } {
  if (before < FEWEST_VISITS) return { text: 'too few to say' };
  const change = Math.round((month / before - 1) * 100);
  if (change === 0) return { text: 'as before' };
  return { arrow: change > 0 ? 'up' : 'down', text: `${formatNumber(Math.abs(change))} %` };
}

/** `412 visits in 30 days` */
export function visitsText({ month }: NameNumbers): string {
  return `${month === 1 ? '1 visit' : `${formatNumber(month)} visits`} in 30 days`;
}

/** `412 visits in 30 days (98 in 7), 31 began an offer (8 %), 4 sent (1 %), 1 agreed` */
export function summaryOf(numbers: NameNumbers): string {
  const { week, month, begun, sent, agreed } = numbers;
  const isFew = month < FEWEST_VISITS;
  const shareOf = (part: number) => {
    const share = Math.round((part / month) * 100);
    return isFew || part === 0 ? '' : ` (${share < 1 ? 'under 1' : share} %)`;
  };
  const parts = [
    `${visitsText(numbers)} (${formatNumber(week)} in 7)`,
    // Turnstile's bot checks begin elsewhere.
    ...(begun > 0 ? [`${formatNumber(begun)} began an offer${shareOf(begun)}`] : []),
    `${sent === 0 ? 'none' : formatNumber(sent)} sent${shareOf(sent)}`,
    `${agreed === 0 ? 'none' : formatNumber(agreed)} agreed`,
  ];
  return `${parts.join(', ')}${isFew ? ': too few to say a share' : ''}`;
}

/** The line of the periods in a box of 112 × 28, from zero; undefined where all are zero. */
export function lineOf(
  periods: readonly number[],
): { line: string; end: readonly [x: number, y: number] } | undefined {
  const most = Math.max(...periods);
  if (!(most > 0)) return undefined;
  const step = 104 / Math.max(1, periods.length - 1);
  const points = periods.map(
    (visits, index) => [round(4 + index * step), round(24 - (visits / most) * 20)] as const,
  );
  return { line: `M${points.join(' ')}`, end: points.at(-1) ?? [0, 0] };
}

const formatNumber = (number: number) => number.toLocaleString('en-US');

const round = (value: number) => Math.round(value * 10) / 10;
