import { atom } from 'nanostores';
import type { OfferSubmission } from '#contract/offer.ts';
import type { Refusal } from '#contract/refusals.ts';
import { type OfferAnswer, sendOffer } from '../api/order-submit.ts';
import { $botCheck, renewBotCheck } from './bot-check.ts';

export type OfferState =
  | { status: 'editing' }
  | { status: 'submitting' }
  /** Stored by the server, for this domain, as the visitor reads its name. */
  | { status: 'submitted'; domain: string }
  /** Back to the form; the screen has the words. */
  | ({ status: 'failed' } & Failure);

export type Failure =
  | { reason: 'bot-check-missing' | 'no-domain' | 'unexpected'; field?: undefined }
  /** The function's own word, as far as it gave one. */
  | ({ reason: 'refused' } & Partial<Refusal>);

/** What the visitor fills in, with the selected domain; an empty `domain_name` where none is. */
export type OfferFields = Omit<OfferSubmission, 'turnstile_token'>;

/** Where the form stands. */
export const $offer = atom<OfferState>({ status: 'editing' });

/**
 * Hands the offer in, once: while one is on its way, or after it was taken, another call does nothing.
 * @param shown the domain's name as the visitor reads it
 */
export async function submitOffer(fields: OfferFields, shown = fields.domain_name): Promise<void> {
  const { status } = $offer.get();
  if (status === 'submitting' || status === 'submitted') return;
  const check = $botCheck.get();
  if (check.status !== 'ready') return fail({ reason: 'bot-check-missing' });
  if (!fields.domain_name) return fail({ reason: 'no-domain' });

  $offer.set({ status: 'submitting' });
  const offer = JSON.stringify(fields);
  const earlier = unsettled.get(offer);
  const token = earlier ?? check.token;
  const answer = await sendOffer({ ...fields, turnstile_token: token });
  if (answer.status === 'stored' || isFinal(answer)) unsettled.delete(offer);
  else unsettled.set(offer, token);
  if (earlier && isFinal(answer)) {
    // Once more from the beginning: that answer may have taken longer than the fresh token was good for.
    $offer.set({ status: 'editing' });
    return submitOffer(fields, shown);
  }
  // Whatever the answer: the token has been seen by the server, or may have been.
  renewBotCheck();
  if (answer.status === 'stored') $offer.set({ status: 'submitted', domain: shown });
  else if (answer.status === 'unexpected') fail({ reason: 'unexpected' });
  else fail({ ...answer.refusal, reason: 'refused' });
}

/**
 * Offers that were sent and never answered for, with their tokens. One may be stored all the same: pressed again, it
 * goes out with the token that it had, which the function takes for the same offer, before a fresh one may be used.
 */
const unsettled = new Map<string, string>();

/** The function's own refusal, in a sentence; whatever else there is may have come in place of a receipt. */
function isFinal(answer: OfferAnswer): boolean {
  if (answer.status !== 'refused') return false;
  const { code = '', error } = answer.refusal;
  return !!error && !/^(unavailable|internal)$/.test(code);
}

/** Back to the empty-handed form, for another domain. An offer on its way still gets its answer shown. */
export function startOver(): void {
  if ($offer.get().status !== 'submitting') $offer.set({ status: 'editing' });
}

function fail(failure: Failure): void {
  $offer.set({ status: 'failed', ...failure });
}
