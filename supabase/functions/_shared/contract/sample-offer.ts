/** What a made-up offer holds: the one place that names every field, for tests, demonstration and checks. */
import type { OfferSubmission } from './offer.ts';

export type OfferTexts = Omit<OfferSubmission, 'turnstile_token' | 'locale' | 'message'>;

export function sampleOffer<More extends object>(more: More): OfferTexts & More {
  const texts: OfferTexts = {
    domain_name: 'lap.app',
    offer_amount: '$12,000',
    customer_name: 'Ada Lovelace',
    customer_email: 'ada@example.com',
  };
  return { ...texts, ...more };
}
