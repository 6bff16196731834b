/** A message to the owner as a mail. */
import type { Delivery } from './delivery.ts';
import { type OfferLines, ownerMessage } from './owner-message.ts';
import type { Facts, MailContent } from './render-mail.ts';

const LABELS = [
  ['Domain', 'domain'],
  ['Offer', 'amount'],
  ['Asking', 'asking'],
  ['Name', 'name'],
  ['Email', 'email'],
  ['Language', 'language'],
  ['Time', 'time'],
] as const;

/**
 * @param siteUrl the origin that has the dashboard
 * @param replyWithin the catalogue's setting
 */
export function ownerMail(delivery: Delivery, siteUrl: string, replyWithin: string | undefined): MailContent {
  const { subject, lead, offers } = ownerMessage(delivery, siteUrl, replyWithin);
  return {
    language: 'en',
    subject,
    blocks: [...(lead ? [{ text: lead }] : []), ...offers.map(factsOf)],
  };
}

function factsOf(offer: OfferLines): Facts {
  const { url, message } = offer;
  return {
    // Without what is not known.
    rows: LABELS.flatMap(([label, field]) => {
      const value = offer[field];
      return value === undefined ? [] : [{ label, value }];
    }),
    ...(message.length > 0 && { quote: { label: 'Message', lines: message } }),
    button: { text: 'Open in the dashboard', url },
    isOffer: true,
    isCompact: true,
  };
}
