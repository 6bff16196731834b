/** Which offers can be listed, one choice at a time. */
import { OFFER_STATUSES } from '#contract/offer.ts';
import type { OfferFilter } from '../stores/fragment.ts';
import type { OfferCounts } from '../stores/offers.ts';

/** What a choice adds to the filter, in place of what another one added. */
type Part = Pick<OfferFilter, 'status' | 'held' | 'low' | 'overdue' | 'message'>;

const NO_PART: Record<keyof Part, undefined> = {
  status: undefined,
  held: undefined,
  low: undefined,
  overdue: undefined,
  message: undefined,
};

export interface Choice {
  readonly text: string;
  readonly tint?: string;
  readonly count: number | undefined;
  readonly isChosen: boolean;
  readonly part: Part;
}

/**
 * Which offers can be listed: all or those of a status, and overdue ones, those with a message, or low or held ones, which are
 * in no other list.
 */
export function choicesOf(
  filter: OfferFilter,
  counts: OfferCounts | undefined,
): [statuses: Choice[], others: Choice[]] {
  const { status, held, low, overdue, message } = filter;
  const isAll = !(status || held || low || overdue || message);
  const total = counts && Object.values(counts.status).reduce((sum, count) => sum + count, 0);
  const statuses = OFFER_STATUSES.map((each) => ({
    text: each,
    tint: each,
    count: counts?.status[each],
    isChosen: status === each,
    part: { status: each },
  }));
  const others = [
    counts?.overdue !== undefined && {
      text: 'overdue',
      count: counts.overdue,
      isChosen: overdue === true,
      part: { overdue: true } as const,
    },
    (message || !!counts?.messages) && {
      text: 'with message',
      count: counts?.messages,
      isChosen: message === true,
      part: { message: true } as const,
    },
    (low || !!counts?.low) && {
      text: 'low',
      count: counts?.low,
      isChosen: low === true,
      part: { low: true } as const,
    },
    (held || !!counts?.held) && {
      text: 'held',
      count: counts?.held,
      isChosen: held === true,
      part: { held: true } as const,
    },
  ].filter((choice) => choice !== false);
  return [[{ text: 'all', count: total, isChosen: isAll, part: {} }, ...statuses], others];
}

/** The part of the filter after a choice was selected: it takes the place of any other. */
export function selected({ part }: Choice): Part {
  return { ...NO_PART, ...part };
}

/** The same after a button was pressed: a second press removes what the first one added. */
export function pressed(choice: Choice): Part {
  return choice.isChosen ? NO_PART : selected(choice);
}
