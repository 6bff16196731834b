import type { Client } from '../_shared/client-ip.ts';
import type { OfferSubmission } from '../_shared/contract/offer.ts';
import { type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';

type Offer = Pick<OfferSubmission, 'domain_name'>;

/** Returns the limits whose multiples are the steps of an offer's work. */
export function stepLimits(settings: Settings, offer: Offer, client: Client | undefined): Limit[] {
  return [
    ...limitsOfSender(settings, 'submit', client).map(asOwn),
    limitOf(settings, 'submit.domain', offer.domain_name),
    limitOf(settings, 'submit.everybody', ''),
  ];
}

/** Returns the limits of offers that are stored as held. */
export function heldLimits(settings: Settings, offer: Offer, client: Client | undefined): Limit[] {
  const network = widestNetwork(client);
  return [
    ...limitsOfSender(settings, 'held', client).map(asOwn),
    limitOf(settings, 'held.domain', offer.domain_name),
    {
      ...limitOf(settings, 'held.domain-again', offer.domain_name),
      after: limitOf(settings, 'held.domain-and-network', `${offer.domain_name}\n${network}`),
    },
  ];
}

/** Returns the limits of confirmations: anybody can enter anybody's email. */
export function confirmationLimits(settings: Settings, client: Client | undefined): Limit[] {
  return [
    limitOf(settings, 'confirmation.network', widestNetwork(client)),
    limitOf(settings, 'confirmation.everybody', ''),
  ];
}

/** The /24 of an IPv4, the /48 of an IPv6; all clients without a known ip share one. */
function widestNetwork(client: Client | undefined): string {
  return client?.widerNetworks.at(-1)?.network ?? '';
}

function asOwn(limit: Limit): Limit {
  return { ...limit, own: true };
}
