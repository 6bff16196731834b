import { atom } from 'nanostores';
import type { OfferSubmission } from '#contract/offer.ts';
import type { RejectionBody } from '#contract/rejections.ts';
import type { OfferResult } from '../api/order-submit.ts';
import { $botCheck, renewBotCheck } from './bot-check.ts';
import { $calls } from './calls.ts';

export type OfferState =
  | { status: 'editing' }
  | { status: 'submitting' }
  /** Stored by the server, for this domain, as the visitor reads its name. `low`: below the owner's minimum. */
  | { status: 'submitted'; domain: string; offer: OfferFields; low?: true }
  /** Back to the form with an error message. */
  | ({ status: 'failed' } & Failure);

export type Failure =
  | { reason: 'bot-check-missing' | 'no-domain' | 'unexpected' | 'unsupported'; field?: undefined }
  /** The function's own error, as far as it sent one. */
  | ({ reason: 'rejected' } & Partial<RejectionBody>);

/** The visitor's input and the selected domain; `domain_name` is empty where none is selected. */
export type OfferFields = Omit<OfferSubmission, 'turnstile_token'>;

/** State of the form. */
export const $offer = atom<OfferState>({ status: 'editing' });

/**
 * Submits the offer. Does nothing while an offer is in flight, and after a success but that of a low offer.
 * @param shown the domain's name as the visitor reads it
 */
export async function submitOffer(fields: OfferFields, shown = fields.domain_name): Promise<void> {
  const state = $offer.get();
  if (state.status === 'submitting' || (state.status === 'submitted' && !state.low)) return;
  const check = $botCheck.get();
  const calls = $calls.get();
  if (check.status !== 'ready' || !calls) return fail({ reason: 'bot-check-missing' });
  if (!fields.domain_name) return fail({ reason: 'no-domain' });
  // Another domain was selected while an earlier offer was in flight.
  if (check.domain && check.domain !== fields.domain_name) return fail({ reason: 'bot-check-missing' });

  $offer.set({ status: 'submitting' });
  const offer = JSON.stringify(fields);
  const earlier = unconfirmed.get(offer);
  const token = earlier ?? check.token;
  // Before the request, of which a reload may leave no result.
  unconfirmed.set(offer, token);
  storeUnconfirmed();
  const result = await calls.sendOffer({ ...fields, turnstile_token: token });
  if (result.status === 'stored' || isFinal(result)) unconfirmed.delete(offer);
  storeUnconfirmed();
  if (earlier && isFinal(result)) {
    // Start again: the fresh token may have expired while that response was on its way.
    $offer.set({ status: 'editing' });
    return submitOffer(fields, shown);
  }
  // Renew after any result: the server may have used up the token.
  renewBotCheck();
  if (result.status === 'stored')
    $offer.set({ ...result, status: 'submitted', domain: shown, offer: fields });
  else if (result.status === 'rejected') fail({ ...result.rejection, reason: 'rejected' });
  else fail({ reason: result.status });
}

const KEY = 'unconfirmed';

/**
 * Offers without a final response, with their tokens, also over a reload of the same tab. Such an offer may be stored all the
 * same: submitted again, it is sent with its own token, which the function recognises as the same offer, before a fresh one is used.
 */
const unconfirmed = new Map<string, string>(storedUnconfirmed());

/** Storage throws where the browser blocks it. */
function storeUnconfirmed(): void {
  try {
    if (unconfirmed.size > 0) sessionStorage.setItem(KEY, JSON.stringify([...unconfirmed]));
    else sessionStorage.removeItem(KEY);
  } catch {}
}

function storedUnconfirmed(): [offer: string, token: string][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** A rejection by the function itself, with a message. Any other failure may hide a stored offer. */
function isFinal(result: OfferResult): boolean {
  if (result.status !== 'rejected') return false;
  const { code = '', error } = result.rejection;
  return !!error && !/^(unavailable|internal)$/.test(code);
}

/** Shows the form again, for another domain. The result of an offer in flight is still shown. */
export function startOver(): void {
  if ($offer.get().status !== 'submitting') $offer.set({ status: 'editing' });
}

/** The visitor pressed the button without a domain. */
export function failWithoutDomain(): void {
  fail({ reason: 'no-domain' });
}

/** The form itself cannot work in this browser. */
export function failUnsupported(): void {
  fail({ reason: 'unsupported' });
}

function fail(failure: Failure): void {
  $offer.set({ status: 'failed', ...failure });
}
