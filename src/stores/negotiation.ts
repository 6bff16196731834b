import { atom } from 'nanostores';
import type { Move, Negotiation } from '#contract/negotiation.ts';
import { callNegotiation, type NegotiationResult } from '../api/negotiation.ts';

export type NegotiationState =
  | {
      status: 'loading';
      /** After a code was typed, or Try again was pressed. */
      isNext?: boolean;
    }
  /** The link has no token: a mail program cut it. */
  | { status: 'cut' }
  /** The link opens nothing (any more). */
  | { status: 'invalid' }
  /** Could not be read for the moment. */
  | { status: 'failed'; isNext?: boolean | undefined }
  | {
      status: 'shown';
      negotiation: Negotiation;
      isSending: boolean;
      /** Shown in place of an earlier state, so that it takes the focus. */
      isNext: boolean;
      /** Why the last move was not made: a code of the function's rejections, `note_too_long` for the note's; or `unexpected`. */
      failure?: string | undefined;
    };

/** What the buyer's link opens. */
export const $negotiation = atom<NegotiationState>({ status: 'loading' });

/** The link that is open; responses about another one are dropped. */
let opened = '';

/** Reads what a link opens. It changes nothing. @param token of the link; empty where that has none */
export async function openNegotiation(token: string): Promise<void> {
  opened = token;
  const isNext = /^(cut|failed)$/.test($negotiation.get().status);
  $negotiation.set(token ? { status: 'loading', isNext } : { status: 'cut' });
  if (token) show(token, await callNegotiation(token));
}

/** Reads a deal again, which the owner may have changed meanwhile. Where that fails, what is shown stays. */
export async function refreshDeal(): Promise<void> {
  const state = $negotiation.get();
  if (state.status !== 'shown' || state.negotiation.status !== 'accepted' || state.isSending) return;
  const token = opened;
  const result = await callNegotiation(token);
  if ($negotiation.get() !== state) return;
  const isNew =
    result.status === 'done'
      ? JSON.stringify(result.negotiation) !== JSON.stringify(state.negotiation)
      : result.status === 'rejected' && result.rejection.code === 'link_invalid';
  if (isNew) show(token, result);
}

/** Makes a move, unless one is being sent. After another one of the owner's it is not made, and that one is shown. */
export async function sendMove(move: Omit<Move, 'seen'>): Promise<void> {
  const state = $negotiation.get();
  if (state.status !== 'shown' || state.isSending) return;
  const token = opened;
  $negotiation.set({ ...state, isSending: true, failure: undefined });
  const result = await callNegotiation(token, { ...move, seen: state.negotiation.seen });
  if (result.status !== 'rejected') return show(token, result);
  const { code } = result.rejection;
  // The state that the buyer saw is no longer the present one.
  if (code && /^(moved|ended|not_possible)$/.test(code)) show(token, await callNegotiation(token), code);
  else show(token, result);
}

function show(token: string, result: NegotiationResult, failure?: string): void {
  if (token !== opened) return;
  const state = $negotiation.get();
  if (result.status === 'done') {
    const { negotiation } = result;
    $negotiation.set({
      status: 'shown',
      negotiation,
      isSending: false,
      isNext: state.status === 'shown' || (state.status === 'loading' && state.isNext === true),
      // Of another tab, or one that got no response: the owner was not first.
      failure: failure === 'moved' && negotiation.moves.at(-1)?.side === 'buyer' ? 'not_possible' : failure,
    });
    return;
  }
  const rejection = result.status === 'rejected' ? result.rejection : undefined;
  const code = rejection?.code || 'unexpected';
  if (code === 'link_invalid') $negotiation.set({ status: 'invalid' });
  else if (state.status !== 'shown')
    $negotiation.set({ status: 'failed', isNext: state.status === 'loading' && state.isNext });
  else
    $negotiation.set({
      ...state,
      isSending: false,
      failure: rejection?.field === 'note' ? `note_${code}` : code,
    });
}
