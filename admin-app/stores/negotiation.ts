/** The moves between owner and buyer in the opened rows, and the owner's next one. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Move, Negotiation } from '#contract/negotiation.ts';
import type { NegotiationApi } from '../api/negotiation.ts';
import type { OffersStore } from './offers.ts';
import { POLL, type SessionCache } from './session-cache.ts';

/** What the owner has chosen and typed, and not sent. */
export type Draft = Pick<Move, 'amount' | 'note'> & {
  readonly kind: 'counter' | 'accept' | 'decline';
  readonly days: NonNullable<Move['days']>;
  /** Whether the owner was asked about an amount without a currency. */
  readonly isAsked?: boolean;
};

/** What to send: a move, or a new link. */
interface Sent {
  readonly id: string;
  readonly move?: Move;
  readonly new_link?: true;
}

export const NEW_DRAFT: Draft = { kind: 'counter', days: 7 };

export function createNegotiation(
  { callNegotiation }: NegotiationApi,
  { reload }: Pick<OffersStore, 'reload'>,
  { client, sessionAtom }: SessionCache,
) {
  /** By offer, so that a row that is scrolled off the page keeps it. */
  const $drafts = sessionAtom<Readonly<Record<string, Draft>>>({});

  const negotiationQuery = (id: string) =>
    queryOptions({
      ...POLL,
      queryKey: ['beside list', 'negotiation', id],
      queryFn: async ({ queryKey, signal }): Promise<Negotiation> => {
        const before = client.getQueryData<Negotiation>(queryKey);
        const read = await callNegotiation({ offer_id: id }, signal);
        // The buyer moved, which changes the status in the row.
        if (before && before.seen !== read.seen) void reload({ quiet: true });
        return read;
      },
      meta: { failure: 'Failed to load the moves of an offer' },
    });

  /** The mail about a move before it is made; undefined where moves are not mailed. */
  const previewQuery = (id: string, move: Move) =>
    queryOptions({
      queryKey: ['preview', id, move],
      queryFn: async ({ signal }) =>
        (await callNegotiation({ offer_id: id, preview: move }, signal)).mail ?? null,
      meta: { failure: 'Failed to load the mail about a move' },
    });

  const writeDraft = (id: string, changed: Partial<Draft>) =>
    $drafts.set({ ...$drafts.get(), [id]: { ...($drafts.get()[id] ?? NEW_DRAFT), ...changed } });

  const negotiate = mutationOptions({
    meta: { failure: 'Failed to send a move' },
    mutationFn: ({ id, ...request }: Sent) => callNegotiation({ offer_id: id, ...request }),
    onSuccess: (negotiation, { id, move }) => {
      client.setQueryData(negotiationQuery(id).queryKey, negotiation);
      if (!move) {
        // The mails that were shown have the old link.
        void client.invalidateQueries({ queryKey: ['preview', id] });
        return;
      }
      const { [id]: _sent, ...others } = $drafts.get();
      $drafts.set(others);
      void reload({ quiet: true });
    },
    onError: (_, { id }) => {
      // What the owner saw may be no longer the newest state. Not awaited: without a network it is read until there is one.
      void client.invalidateQueries({ queryKey: negotiationQuery(id).queryKey });
    },
  });

  return { $drafts, negotiationQuery, previewQuery, negotiate, writeDraft };
}
