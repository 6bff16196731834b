import type { Client } from '../_shared/client-ip.ts';
import type { OfferSubmission } from '../_shared/contract/offer.ts';
import { accountOf, type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';

type Offer = Pick<OfferSubmission, 'domain_name' | 'customer_email'>;

/** Returns the limits whose multiples are the steps of an offer's work. */
export async function stepLimits(
  settings: Settings,
  offer: Offer,
  client: Client | undefined,
): Promise<Limit[]> {
  const [sender, email, ...shared] = await Promise.all([
    limitsOfSender(settings, 'submit', client),
    limitOf(settings, 'submit.email', accountOf(offer.customer_email)),
    limitOf(settings, 'submit.domain', offer.domain_name),
    limitOf(settings, 'submit.everybody', ''),
  ]);
  return [...[...sender, email].map(asOwn), ...shared];
}

/** Returns the limits of offers that are stored as held. */
export async function heldLimits(
  settings: Settings,
  offer: Offer,
  client: Client | undefined,
): Promise<Limit[]> {
  const network = client?.widerNetworks.at(-1)?.network ?? '';
  const [sender, domain, again, after] = await Promise.all([
    limitsOfSender(settings, 'held', client),
    limitOf(settings, 'held.domain', offer.domain_name),
    limitOf(settings, 'held.domain-again', offer.domain_name),
    limitOf(settings, 'held.domain-and-network', `${offer.domain_name}\n${network}`),
  ]);
  return [...sender.map(asOwn), domain, { ...again, after }];
}

function asOwn(limit: Limit): Limit {
  return { ...limit, own: true };
}
