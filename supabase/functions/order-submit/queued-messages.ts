import type { MessageSettings } from '../_shared/contract/message-settings.ts';
import type { StoredLink } from '../_shared/contract/negotiation.ts';
import { mailtoOf, ownerTargets } from '../_shared/message-targets.ts';
import { makeLink } from '../_shared/offer-link.ts';
import type { Limit } from '../_shared/rate-limits.ts';

/** A message as `submit_offer` queues it, together with the offer. */
export interface QueuedMessage {
  readonly kind: 'offer' | 'confirmation';
  readonly target: string;
  readonly locale?: string;
  /** Only of a confirmation: while one of them is full, none is queued. */
  readonly limits?: readonly Limit[];
  /** Only of a confirmation: the customer's, with the id of the new offer; stored where the confirmation is queued. */
  readonly link?: StoredLink & { readonly offer_id: string };
}

/**
 * The messages of a new offer: one to each target of the owner, and the confirmation where it is configured.
 * @param locale of the page; undefined: the catalogue's first language
 * @param limits of confirmations
 * @param secretKey from which the link of the confirmation is derived
 */
export function queuedMessages(
  messages: MessageSettings,
  customerEmail: string,
  locale: string | undefined,
  limits: readonly Limit[],
  secretKey: string,
): QueuedMessage[] {
  const toOwner = ownerTargets(messages).map((target) => ({ kind: 'offer' as const, target }));
  if (!messages.mail?.confirm) return toOwner;
  // In lower case, so that one customer has one target.
  const target = mailtoOf(customerEmail.toLowerCase());
  const offer_id = crypto.randomUUID();
  const link = { offer_id, ...makeLink(secretKey, offer_id, 1) };
  return [...toOwner, { kind: 'confirmation', target, ...(locale && { locale }), limits, link }];
}
