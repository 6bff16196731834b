import type { OfferSubmission } from '#contract/offer.ts';
import { type CallResult, callFunction } from './call-function.ts';

/** `low`: below the owner's minimum. The others as of any call. */
export type OfferResult = { status: 'stored'; low?: true } | Exclude<CallResult, { status: 'done' }>;

/**
 * Submits an offer. Never throws.
 * The function stores an offer once, so that a lost response costs the visitor nothing; with a fresh token it would be a
 * second offer.
 */
export async function sendOffer(submission: OfferSubmission): Promise<OfferResult> {
  const result = await callFunction('order-submit', submission);
  if (result.status !== 'done') return result;
  // A 204 has no body.
  const body = result.body as { low?: unknown } | null;
  return body?.low === true ? { status: 'stored', low: true } : { status: 'stored' };
}
