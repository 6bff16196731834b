/** Declining the open offers for a name that was reserved or sold: one note for all, sent after a time in which it can be undone. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Move, Negotiation } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import type { Call } from '../api/call.ts';
import type { NegotiationApi } from '../api/negotiation.ts';
import type { SessionCache } from './session-cache.ts';

/** How long the action can be undone, in milliseconds. */
export const UNDO_MS = 10_000;

/** Offers of a page of `find_offers`, which is enough for one name. */
const MOST_OFFERS = 100;

export type Decline =
  /** Nothing is sent yet. */
  | { status: 'waiting'; offers: readonly Offer[]; note: string; until: number }
  | { status: 'sending'; offers: readonly Offer[]; done: number }
  | { status: 'done'; declined: number; failed: readonly FailedDecline[] };

interface FailedDecline {
  readonly offer: Offer;
  readonly message: string;
}

interface Sending {
  readonly name: string;
  readonly offers: readonly Offer[];
  readonly note: string;
  /** By offer id. */
  readonly read: Promise<ReadonlyMap<string, Negotiation | Error>>;
}

const NOT_POSSIBLE = 'It cannot be declined any more.';
const FAILURE = 'Failed to send. Please try again.';

export function createDeclineOthers(
  call: Call,
  { callNegotiation }: NegotiationApi,
  { client, sessionAtom }: SessionCache,
) {
  /** By name. */
  const $declines = sessionAtom<Readonly<Record<string, Decline>>>({});
  /** The notes that are typed, by name. */
  const $notes = sessionAtom<Readonly<Record<string, string>>>({});
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function set(name: string, decline: Decline | undefined): void {
    const { [name]: _, ...others } = $declines.get();
    $declines.set(decline ? { ...others, [name]: decline } : others);
  }

  /** Offers for a name that wait for an answer, without low and held ones, to which none was promised. */
  const openOffersQuery = (name: string) =>
    queryOptions({
      queryKey: ['list details', 'open offers', name],
      queryFn: async ({ signal }) => {
        const pages = await Promise.all(
          (['pending', 'negotiating'] as const).map((status) =>
            call('find_offers', { filter: { domain: name, status }, page_size: MOST_OFFERS }, signal),
          ),
        );
        return pages.flatMap(({ offers }) => offers);
      },
      meta: { failure: 'Failed to load the open offers of a name' },
    });

  /** The mail that the first of these offers gets; null where moves are not mailed. */
  const declinePreviewQuery = (offer: string, note: string) =>
    queryOptions({
      queryKey: ['preview', offer, 'decline', note],
      queryFn: async ({ signal }) => {
        const { seen } = await callNegotiation({ offer_id: offer }, signal);
        return (await callNegotiation({ offer_id: offer, preview: moveOf(seen, note) }, signal)).mail ?? null;
      },
      meta: { failure: 'Failed to load the mail about a move' },
    });

  /** Begins the time in which nothing is sent yet. */
  function declineAll(name: string, offers: readonly Offer[]): void {
    if (name in $declines.get() && $declines.get()[name]?.status !== 'done') return;
    const note = $notes.get()[name] ?? '';
    const waiting: Decline = { status: 'waiting', offers, note, until: Date.now() + UNDO_MS };
    set(name, waiting);
    const read = readAll(name, offers);
    timers.set(
      name,
      setTimeout(() => {
        // Undone, or of a session that has ended.
        if ($declines.get()[name] === waiting)
          void client.getMutationCache().build(client, sending).execute({ name, offers, note, read });
      }, UNDO_MS),
    );
  }

  /** What is declined, as it is now: an offer that its buyer changes before it is sent stays. Errors are reported when it is sent. */
  async function readAll(name: string, offers: readonly Offer[]): Promise<Map<string, Negotiation | Error>> {
    const read = new Map<string, Negotiation | Error>();
    for (const { id } of offers) {
      // Undone, or of a session that has ended.
      if (!(name in $declines.get())) break;
      read.set(id, await callNegotiation({ offer_id: id }).catch((error: Error) => error));
    }
    return read;
  }

  function undoDecline(name: string): void {
    if ($declines.get()[name]?.status !== 'waiting') return;
    clearTimeout(timers.get(name));
    set(name, undefined);
  }

  const sending = mutationOptions({
    meta: { failure: 'Failed to decline offers' },
    mutationFn: async ({ name, offers, note, read }: Sending) => {
      const failed: FailedDecline[] = [];
      let shown: Decline;
      const show = (done: number) => {
        shown = { status: 'sending', offers, done };
        set(name, shown);
      };
      // Also where the same name is declined in the next session.
      const hasSessionEnded = () => $declines.get()[name] !== shown;
      // Reading takes longer where there are many offers: the time to undo is over all the same.
      show(0);
      const states = await read;
      if (hasSessionEnded()) return;
      for (const [done, offer] of offers.entries()) {
        show(done);
        const message = await decline(offer, note, states.get(offer.id));
        if (hasSessionEnded()) return;
        if (message !== undefined) failed.push({ offer, message });
      }
      set(name, { status: 'done', declined: offers.length - failed.length, failed });
      if (failed.length === 0) writeNote(name, '');
      void client.invalidateQueries({ queryKey: ['list'] });
      void client.invalidateQueries({ queryKey: ['page'] });
      void client.invalidateQueries({ queryKey: ['list details'] });
      void client.invalidateQueries({ queryKey: ['beside list'] });
      void client.invalidateQueries({ queryKey: ['names', 'counts'] });
    },
  });

  /** @returns why it is not declined */
  async function decline(
    { id }: Offer,
    note: string,
    state: Negotiation | Error | undefined,
  ): Promise<string | undefined> {
    try {
      if (state === undefined || state instanceof Error) throw state ?? new Error('');
      if (!state.can.includes('decline')) return NOT_POSSIBLE;
      await callNegotiation({ offer_id: id, move: moveOf(state.seen, note) });
      return undefined;
    } catch (error) {
      return (error as Error).message || FAILURE;
    }
  }

  function writeNote(name: string, note: string): void {
    $notes.set({ ...$notes.get(), [name]: note });
  }

  return {
    $declines,
    $notes,
    openOffersQuery,
    declinePreviewQuery,
    declineAll,
    undoDecline,
    writeNote,
  };
}

function moveOf(seen: number, note: string): Move {
  return { kind: 'decline', seen, ...(note.trim() && { note }) };
}
