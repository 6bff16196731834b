/** A message to the owner as a mail. */
import type { Delivery } from './delivery.ts';
import { ENCODED_WORD, type OfferLines, ownerMessage } from './owner-message.ts';
import type { Block, MailContent, Row } from './render-mail.ts';

/**
 * @param siteUrl the origin that has the dashboard
 * @param replyWithin the catalogue's setting
 */
export function ownerMail(delivery: Delivery, siteUrl: string, replyWithin: string | undefined): MailContent {
  const { subject, headline, lead, offers, steps, isOpen } = ownerMessage(delivery, siteUrl, replyWithin);
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
      or: isSingle && canReplyTo(offer) ? 'or reply to this mail' : undefined,
    });
  }
  return { language: 'en', subject: withoutEncodedWords(subject), headline, blocks };
}

/** Without what is not known. A mail about one offer has the domain in its headline. */
function rowsOf(offer: OfferLines, isSingle: boolean): Row[] {
  const rows: (Omit<Row, 'value'> & { value: string | undefined })[] = [
    ...(isSingle ? [] : [{ label: 'Domain', value: offer.domain, isLarge: true }]),
    { label: offer.amountLabel, value: offer.amount, isLarge: true },
    { label: 'First offer', value: offer.firstOffer },
    { label: 'Asking', value: offer.asking },
    { label: 'Name', value: offer.name },
    {
      label: 'Email',
      value: offer.email,
      url: `mailto:${encodeURIComponent(offer.email).replaceAll('%40', '@')}`,
    },
    { label: 'Language', value: offer.language },
    { label: 'Time', value: offer.time },
    { label: 'Ended', value: offer.ended },
    { label: 'Answer by', value: offer.answerBy },
  ];
  return rows.flatMap(({ value, ...row }) => (value === undefined ? [] : [{ ...row, value }]));
}

/** Whether the address can stand in a header as it is. */
export function canReplyTo({ email }: Pick<OfferLines, 'email'>): boolean {
  return !ENCODED_WORD.test(email);
}

/** The text of a header, in which nothing that a visitor typed is decoded. */
export function withoutEncodedWords(line: string): string {
  return line.replaceAll('=?', '= ?');
}
