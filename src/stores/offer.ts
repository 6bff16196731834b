import { atom } from 'nanostores';
import { MAX_STEP } from '#contract/bot-check.ts';
import type { OfferSubmission } from '#contract/offer.ts';
import type { Refusal } from '#contract/refusals.ts';
import { solve } from '../api/bot-check/solve.ts';
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
  // Another domain was selected while an earlier offer was on its way.
  if (check.domain && check.domain !== fields.domain_name) return fail({ reason: 'bot-check-missing' });

  $offer.set({ status: 'submitting' });
  const offer = JSON.stringify(fields);
  const earlier = unsettled.get(offer);
  const { answer, token } = await sendWithEnoughWork(fields, earlier ?? check.token);
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
  else if (answer.status === 'refused') fail({ ...answer.refusal, reason: 'refused' });
  else fail({ reason: 'unexpected' });
}

/**
 * Sends the offer, and where its work is not enough any more, the same offer with the proof of the harder challenge that
 * came back. The server recognises both as one offer.
 */
async function sendWithEnoughWork(
  fields: OfferFields,
  token: string,
): Promise<{ answer: OfferAnswer; token: string }> {
  let answer = await sendOffer({ ...fields, turnstile_token: token });
  let sent = token;
  // Each challenge has more work than the one before.
  for (let step = 0; step < MAX_STEP && answer.status === 'harder'; step += 1) {
    const solved = await solve(answer.challenge).catch(() => undefined);
    if (solved === undefined) break;
    sent = solved;
    answer = await sendOffer({ ...fields, turnstile_token: sent });
  }
  return { answer, token: sent };
}

/**
 * Offers that were sent without a final response, with their tokens. Such an offer may be stored all the same: pressed
 * again, it is sent with its own token, which the function recognises as the same offer, before a fresh one is used.
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
