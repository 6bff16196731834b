/** The moves between owner and buyer in the opened rows, and the owner's next one. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import {
  DEAL_STEPS,
  type Deal,
  type DealChange,
  type DealStep,
  type Move,
  type Negotiation,
  type PayWay,
} from '#contract/negotiation.ts';
import { type NegotiationApi, NegotiationRejection } from '../api/negotiation.ts';
import type { OffersStore } from './offers.ts';
import { POLL, type SessionCache } from './session-cache.ts';

/** What the owner has chosen and typed, and not sent. */
export type Draft = Pick<Move, 'amount' | 'note'> & {
  readonly kind: 'counter' | 'accept' | 'decline';
  readonly days: NonNullable<Move['days']>;
  /** Whether the owner was asked about an amount without a currency. */
  readonly isAsked?: boolean;
  /** Where to pay, as chosen for a deal. */
  readonly way?: PayWay;
  readonly link?: string;
  readonly payBy?: string;
  /** What the owner was asked about: how the deal ends. */
  readonly ending?: NonNullable<Move['as']>;
};

/** What to send: a move, a change of the deal, or a new link. */
export interface Sent {
  readonly id: string;
  readonly move?: Move;
  readonly deal?: DealChange;
  readonly new_link?: true;
}

/** A step that was just ticked, and can be undone. */
interface Ticked {
  readonly step: DealStep;
  /** Number of that change. */
  readonly seen: number;
}

/** How long Undo is offered after a step was ticked, in milliseconds. */
export const UNDO_MS = 10_000;

/** The fields of a draft that a change of a deal sends. */
const DRAFTED: Readonly<Partial<Record<DealChange['field'], readonly (keyof Draft)[]>>> = {
  pay_by: ['payBy'],
  link: ['way', 'link'],
  way: ['way', 'link'],
};

export const NEW_DRAFT: Draft = { kind: 'counter', days: 7 };

export function createNegotiation(
  { callNegotiation }: NegotiationApi,
  { reload }: Pick<OffersStore, 'reload'>,
  { client, sessionAtom }: SessionCache,
) {
  /** By offer, so that a row that is scrolled off the page keeps it. */
  const $drafts = sessionAtom<Readonly<Record<string, Draft>>>({});
  /** Offers whose deal was changed by another administrator, so that the last change was rejected. */
  const $overtaken = sessionAtom<ReadonlySet<string>>(new Set());
  /** By offer. */
  const $ticked = sessionAtom<Readonly<Record<string, Ticked>>>({});
  /** Requests without a response, by offer, with what was typed then: they may be stored. */
  const $unanswered = sessionAtom<Readonly<Record<string, { sent: Sent; typed: Draft | undefined }>>>({});

  const negotiationQuery = (id: string) =>
    queryOptions({
      ...POLL,
      // Without moves an error is shown at once. The next poll reads them.
      retry: (failures, error) =>
        client.getQueryData(['beside list', 'negotiation', id]) !== undefined && POLL.retry(failures, error),
      queryKey: ['beside list', 'negotiation', id],
      queryFn: async ({ queryKey, signal }): Promise<Negotiation> => {
        const before = client.getQueryData<Negotiation>(queryKey);
        const read = await callNegotiation({ offer_id: id }, signal);
        const last = $unanswered.get()[id];
        if (last && isStored(read, last.sent)) dropSent(last.sent, last.typed);
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

  /** Drops fields of a draft: what was sent, or is not wanted any more. */
  function dropDraft(id: string, fields: readonly (keyof Draft)[]): void {
    const draft = $drafts.get()[id];
    if (!draft) return;
    const kept = Object.entries(draft).filter(([field]) => !fields.some((one) => one === field));
    $drafts.set({ ...$drafts.get(), [id]: Object.fromEntries(kept) as Draft });
  }

  /** Drops what was sent, and keeps what was typed since. A new link sends nothing of it. */
  function dropSent({ id, move, deal }: Sent, typed: Draft | undefined): void {
    const { [id]: _, ...unanswered } = $unanswered.get();
    $unanswered.set(unanswered);
    const { [id]: draft, ...others } = $drafts.get();
    if (!draft) return;
    const isAsSent = (field: keyof Draft) => draft[field] === typed?.[field];
    if (deal) dropDraft(id, (DRAFTED[deal.field] ?? []).filter(isAsSent));
    if (!move) return;
    const since =
      move.kind === 'counter' ? (['amount', 'note'] as const).filter((one) => !isAsSent(one)) : [];
    const kept = Object.fromEntries(since.map((field) => [field, draft[field]]));
    $drafts.set(since.length > 0 ? { ...others, [id]: { ...NEW_DRAFT, ...kept } } : others);
  }

  function offerUndo(id: string, { field, to }: DealChange, seen: number | null | undefined): void {
    const { [id]: _, ...others } = $ticked.get();
    const ticked = isStep(field) && to === true && seen ? { step: field, seen } : undefined;
    $ticked.set(ticked ? { ...others, [id]: ticked } : others);
    if (!ticked) return;
    setTimeout(() => {
      const { [id]: now, ...rest } = $ticked.get();
      if (now === ticked) $ticked.set(rest);
    }, UNDO_MS);
  }

  const negotiate = mutationOptions({
    meta: { failure: 'Failed to send a move' },
    mutationFn: ({ id, ...request }: Sent) => callNegotiation({ offer_id: id, ...request }),
    onMutate: ({ id }) => {
      $overtaken.set(new Set([...$overtaken.get()].filter((one) => one !== id)));
      return $drafts.get()[id];
    },
    onSuccess: (negotiation, sent, typed) => {
      const { id, move, deal } = sent;
      client.setQueryData(negotiationQuery(id).queryKey, negotiation);
      dropSent(sent, typed);
      if (deal) {
        offerUndo(id, deal, negotiation.deal?.seen);
        void reload({ quiet: true });
        return;
      }
      if (!move) {
        // The mails that were shown have the old link.
        void client.invalidateQueries({ queryKey: ['preview', id] });
        return;
      }
      void reload({ quiet: true });
    },
    onError: (error, sent, typed) => {
      const { id, move, deal } = sent;
      if (!error.message) $unanswered.set({ ...$unanswered.get(), [id]: { sent, typed } });
      if (isOvertaken(error) && (deal || move?.kind === 'take_back'))
        $overtaken.set(new Set($overtaken.get()).add(id));
      // What the owner saw may be no longer the newest state. Not awaited: without a network it is read until there is one.
      void client.invalidateQueries({ queryKey: negotiationQuery(id).queryKey });
    },
  });

  return { $drafts, $overtaken, $ticked, negotiationQuery, previewQuery, negotiate, writeDraft, dropDraft };
}

/** Whether a step was just ticked, and its deal has not changed since, as by another administrator. */
export function canUndo(ticked: Ticked | undefined, step: DealStep, { seen }: Pick<Deal, 'seen'>): boolean {
  return ticked?.step === step && ticked.seen === seen;
}

function isStep(field: string): field is DealStep {
  return (DEAL_STEPS as readonly string[]).includes(field);
}

/** Whether a request is in what was read after it, although it failed: its response was lost. */
function isStored({ moves, deal }: Negotiation, { move, deal: change }: Sent): boolean {
  const made = move && moves.find(({ number }) => number === move.seen + 1);
  if (made)
    return (
      made.side === 'owner' &&
      made.kind === move.kind &&
      (move.amount === undefined || isSame(made.amount, move.amount))
    );
  return (deal?.changes ?? []).some(
    ({ number, field, to }) =>
      change !== undefined && number === change.seen + 1 && field === change.field && isSame(to, change.to),
  );
}

const isSame = (a: string | boolean | null | undefined, b: typeof a) =>
  typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : (a ?? null) === (b ?? null);

/** The error of the last request, unless that is stored after all. */
export function errorOf(
  { error, variables }: { error: Error | null; variables: Sent | undefined },
  negotiation: Negotiation,
): Error | null {
  return variables && isStored(negotiation, variables) ? null : error;
}

/** The deal is no longer as it was seen. */
function isOvertaken(error: Error): boolean {
  return error instanceof NegotiationRejection && ['moved', 'not_possible'].includes(error.code ?? '');
}

/** What to say of a rejected change of a deal where it was made; nothing where the whole deal has changed. */
export function dealProblem(error: Error | null): string | undefined {
  if (!error || isOvertaken(error)) return undefined;
  return error.message || 'Failed to save. Please try again.';
}

/** The field that a rejected change is about. */
export function problemField(error: Error | null): string | undefined {
  return error instanceof NegotiationRejection ? error.field : undefined;
}
