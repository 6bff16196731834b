/** The offers in the data folder of an earlier release, oldest first (make-release-fixture.ts). */
import type { OfferStatus } from '#contract/offer.ts';
import type { OfferTexts } from './calls.ts';

export const RELEASE_OFFERS: readonly (OfferTexts & { status: OfferStatus })[] = [
  {
    domain_name: 'lap.app',
    offer_amount: '$12,000',
    customer_name: 'Ada Lovelace',
    customer_email: 'Ada@example.com',
    status: 'accepted',
  },
  {
    domain_name: 'lap.app',
    offer_amount: '9.500 €',
    customer_name: 'Grace "Amazing" Hopper',
    customer_email: 'grace@example.com',
    status: 'rejected',
  },
  {
    domain_name: 'lap.app',
    offer_amount: '+1,000 €',
    customer_name: 'Zoë Müßig',
    customer_email: 'zoe@example.com',
    status: 'pending',
  },
];
