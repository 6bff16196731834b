import type { Client } from '../_shared/client-ip.ts';
import { type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';

/** The limits of an offer, as `submit_offer` counts them. */
export interface OfferLimits {
  /** Beyond, the request is rejected. */
  readonly sender: readonly Limit[];
  /** Beyond, the offer is stored as held and counts in no limit of `shared`. */
  readonly sender_and_domain: readonly Limit[];
  /** Beyond, the offer is stored as held. */
  readonly shared: readonly Limit[];
  /** Limits of held offers: beyond, the request is rejected. */
  readonly held: readonly Limit[];
  /** Counts held offers too, but only those that come after `held_first` is full. */
  readonly held_again: readonly Limit[];
  readonly held_first: readonly Limit[];
}

export function offerLimits(settings: Settings, domain: string, client: Client): OfferLimits {
  const networkAndDomain = `${client.network}\n${domain}`;
  return {
    sender: limitsOfSender(settings, 'submit', client),
    sender_and_domain: [limitOf(settings, 'submit.network-and-domain', networkAndDomain)],
    shared: [limitOf(settings, 'submit.domain', domain), limitOf(settings, 'submit.all', '')],
    held: [
      limitOf(settings, 'held.network', client.network),
      limitOf(settings, 'held.domain', domain),
      limitOf(settings, 'held.all', ''),
    ],
    held_again: [limitOf(settings, 'held.domain-again', domain)],
    held_first: [limitOf(settings, 'held.network-and-domain', networkAndDomain)],
  };
}

/** Returns the limits of confirmations: anybody can enter anybody's email. */
export function confirmationLimits(settings: Settings, client: Client): Limit[] {
  return [
    limitOf(settings, 'confirmation.network', client.network),
    limitOf(settings, 'confirmation.all', ''),
  ];
}
