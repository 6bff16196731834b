/** Which offers can be listed, one choice at a time. */
import type { Only } from '#contract/calls.ts';
import { OFFER_STATUSES } from '#contract/offer.ts';
import type { OfferFilter } from '../stores/fragment.ts';
import type { OfferCounts } from '../stores/offers.ts';

/** What a choice adds to the filter, in place of what another one added. */
type Part = Pick<OfferFilter, 'status' | 'only'>;

const NO_PART: Record<keyof Part, undefined> = { status: undefined, only: undefined };

export interface Choice {
  readonly text: string;
  readonly tint?: string;
  readonly count: number | undefined;
  readonly isChosen: boolean;
  readonly part: Part;
}

/**
 * Which offers can be listed: all or those of a status, and overdue ones, those with a message, low or held ones, which are
 * in no other list, or those that the buyer withdrew.
 */
export function choicesOf(
  filter: OfferFilter,
  counts: OfferCounts | undefined,
): [statuses: Choice[], others: Choice[]] {
  const { status, only } = filter;
  const total = counts && Object.values(counts.status).reduce((sum, count) => sum + count, 0);
  const statuses = OFFER_STATUSES.map((each) => ({
    text: each,
    tint: each,
    count: counts?.status[each],
    isChosen: status === each,
    part: { status: each },
  }));
  const otherOf = (each: Only, count: number | undefined, text: string = each) => ({
    text,
    count,
    isChosen: only === each,
    part: { only: each },
  });
  const others = [
    otherOf('overdue', counts?.overdue),
    otherOf('message', counts?.messages, 'with message'),
    otherOf('low', counts?.low),
    otherOf('held', counts?.held),
    otherOf('withdrawn', counts?.withdrawn),
  ].filter(({ count, isChosen, text }) => isChosen || (text === 'overdue' ? count !== undefined : !!count));
  const all = { text: 'all', count: total, isChosen: !(status || only), part: {} };
  return [[all, ...statuses], others];
}

/** The part of the filter after a choice was selected: it takes the place of any other. */
export function selected({ part }: Choice): Part {
  return { ...NO_PART, ...part };
}

/** The same after a button was pressed: a second press removes what the first one added. */
export function pressed(choice: Choice): Part {
  return choice.isChosen ? NO_PART : selected(choice);
}
