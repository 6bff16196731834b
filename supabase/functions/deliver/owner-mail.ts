/** A message to the owner as a mail. */
import { forEachVisitorField } from '../_shared/contract/offer-fields.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import type { ShownAmount } from '../_shared/contract/shown-amount.ts';
import { type Delivery, type MessageOffer, shortName } from './delivery.ts';
import { ENCODED_WORD, type OfferLines, ownerMessage } from './owner-message.ts';
import type { Block, MailContent, Row } from './render-mail.ts';

/**
 * @param siteUrl the origin that has the dashboard
 * @param settings of the catalogue
 */
export function ownerMail(delivery: Delivery, siteUrl: string, settings: PublishedSettings): MailContent {
  const { subject, headline, lead, offers, steps, isOpen } = ownerMessage(delivery, siteUrl, settings);
  const isSingle = delivery.batch === null;
  const blocks: Block[] = lead ? [{ kind: 'paragraph', text: lead }] : [];
  for (const offer of offers) {
    const { message, messageLabel, url } = offer;
    const quote = message.length > 0 ? { label: messageLabel, lines: message } : undefined;
    blocks.push({ kind: 'facts', rows: rowsOf(offer, isSingle), quote });
    if (steps.length > 0) blocks.push({ kind: 'steps', title: 'What to do next', steps });
    blocks.push({
      kind: 'button',
      text: isOpen ? 'Answer in the dashboard' : 'Open in the dashboard',
      url,
      or: isSingle && canReplyTo(offer.texts) ? 'or reply to this mail' : undefined,
    });
  }
  return { language: 'en', subject: withoutEncodedWords(subject), headline, blocks };
}

/** Without what is not known: an offer from before a field has it empty. A mail about one offer has the domain in its headline. */
function rowsOf(offer: OfferLines, isSingle: boolean): Row[] {
  const { offer_amount: _, ...fields } = forEachVisitorField(({ type }, column) => {
    const name = shortName(column);
    const value = offer.texts[column];
    return {
      label: name.charAt(0).toUpperCase() + name.slice(1),
      value,
      ...(type && { url: `mailto:${encodeURIComponent(value).replaceAll('%40', '@')}` }),
    };
  });
  const rows: (Omit<Row, 'value'> & { value: string | undefined })[] = [
    ...(isSingle ? [] : [{ label: 'Domain', value: offer.domain, isLarge: true }]),
    { label: offer.amountLabel, ...amountRow(offer.amount), isLarge: true },
    { label: 'First offer', value: offer.firstOffer },
    { label: 'Asking', ...amountRow(offer.asking) },
    ...Object.values(fields),
    { label: 'Language', value: offer.language },
    { label: 'Time', value: offer.time },
    { label: 'Ended', value: offer.ended },
    { label: 'Answer by', value: offer.answerBy },
    { label: 'Reference', value: offer.reference },
    { label: 'Pay by', value: offer.payBy },
  ];
  return rows.flatMap(({ value, ...row }) => (value ? [{ ...row, value }] : []));
}

function amountRow(amount: ShownAmount | undefined) {
  return { value: amount?.text, isClear: amount?.isClear ?? false };
}

/** Whether the address can stand in a header as it is. */
export function canReplyTo({ customer_email }: Pick<MessageOffer, 'customer_email'>): boolean {
  return !ENCODED_WORD.test(customer_email);
}

/** The text of a header, in which nothing that a visitor typed is decoded. */
export function withoutEncodedWords(line: string): string {
  return line.replaceAll('=?', '= ?');
}
