/** The opened histories of offers. They stay open while their rows are scrolled off the page. */
import { queryOptions } from '@tanstack/react-query';
import { DOMAIN_PATTERN } from '#contract/calls.ts';
import type { Call } from '../api/call.ts';
import type { SessionCache } from './session-cache.ts';

export function createOfferHistory(call: Call, { sessionAtom }: Pick<SessionCache, 'sessionAtom'>) {
  /** The offers whose row is open. */
  const $open = sessionAtom<ReadonlySet<string>>(new Set());

  return {
    $open,

    /** Read again with the list. */
    historyQuery: (id: string) =>
      queryOptions({
        queryKey: ['list details', 'history', id],
        queryFn: async ({ signal }) => {
          const [changes, found] = await Promise.all([
            call('offer_history', { offer_id: id }, signal),
            call('offer_message', { offer_id: id }, signal),
          ]);
          const { message, confirmation_rejected: confirmationRejected = null } = found;
          return { message, confirmationRejected, changes };
        },
        meta: { failure: 'Failed to load the history of an offer' },
      }),

    /** Numbers of a name, for the opened rows of its offers. */
    numbersQuery: (name: string) =>
      queryOptions({
        queryKey: ['list details', 'numbers', name],
        queryFn: ({ signal }) => call('name_numbers', { name }, signal),
        enabled: DOMAIN_PATTERN.test(name),
      }),

    openHistory: (id: string) => $open.set(new Set($open.get()).add(id)),

    toggleHistory(id: string): void {
      const open = new Set($open.get());
      if (!open.delete(id)) open.add(id);
      $open.set(open);
    },
  };
}
