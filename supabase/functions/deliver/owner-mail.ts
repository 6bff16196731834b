/** A message to the owner as a mail. */
import { forEachVisitorField } from '../_shared/contract/offer-fields.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { type Delivery, type MessageOffer, shortName } from './delivery.ts';
import { ENCODED_WORD, inSubject, type OfferLines, ownerMessage } from './owner-message.ts';
import type { Block, MailContent, Row, Step } from './render-mail.ts';

/**
 * @param siteUrl the origin that has the dashboard
 * @param settings of the catalogue
 */
export function ownerMail(delivery: Delivery, siteUrl: string, settings: PublishedSettings): MailContent {
  const { subject, lead, offers, steps, isOpen } = ownerMessage(delivery, siteUrl, settings);
  const isSingle = delivery.batch === null;
  const price = isSingle ? offers[0]?.price : undefined;
  const keep = price !== undefined && subject.includes(price) ? price : undefined;
  const blocks: Block[] = lead ? [{ kind: 'paragraph', text: lead }] : [];
  for (const offer of offers)
    blocks.push(...(isSingle ? singleBlocks(offer, steps, isOpen, keep) : digestBlocks(offer)));
  const isLarge = keep !== undefined || (isSingle && delivery.kind === 'offer');
  return { language: 'en', subject: withoutEncodedWords(subject), headline: subject, keep, isLarge, blocks };
}

function digestBlocks(offer: OfferLines): Block[] {
  const rows = [
    { label: 'Domain', value: offer.domain, isLarge: true },
    amountRow(offer),
    { label: 'First offer', value: offer.firstOffer },
    askingRow(offer),
    ...peopleOf(offer),
    ...lastRowsOf(offer),
    { label: 'Answer by', value: offer.answerBy },
  ];
  return [
    { kind: 'facts', rows: known(rows), quote: quoteOf(offer) },
    { kind: 'button', text: 'Open in the dashboard', url: offer.url },
  ];
}

/** @param keep the amount in the headline */
function singleBlocks(
  offer: OfferLines,
  steps: readonly Step[],
  isOpen: boolean,
  keep: string | undefined,
): Block[] {
  const { amount, answerBy, asking, domain, isOwnNote, share, texts, url } = offer;
  const quote = quoteOf(offer);
  const email = texts.customer_email;
  const reply = {
    name: inSubject(texts.customer_name) || email,
    url: `${mailtoOf(email)}?subject=${encodeURIComponent(`Your offer for ${domain}`)}`,
  };
  const rows = [
    ...(amount.text === keep ? [] : [amountRow(offer)]),
    { label: 'First offer', value: offer.firstOffer },
    ...(share ? [] : [askingRow(offer)]),
    ...lastRowsOf(offer),
  ];
  return [
    ...(share && asking
      ? [{ kind: 'share' as const, ...share, whole: { value: asking.text, isClear: asking.isClear } }]
      : []),
    ...(quote && !isOwnNote ? [{ kind: 'quote' as const, ...quote }] : []),
    { kind: 'from', people: known(peopleOf(offer)) },
    ...(steps.length > 0 ? [{ kind: 'steps' as const, title: 'What to do next', steps }] : []),
    {
      kind: 'button',
      text: isOpen ? 'Answer the offer' : 'Open in the dashboard',
      url,
      reply: canReplyTo(texts) ? reply : undefined,
    },
    ...(answerBy
      ? [{ kind: 'paragraph' as const, text: 'Your page promises an answer by', strong: `${answerBy}.` }]
      : []),
    { kind: 'facts', rows: known(rows), quote: isOwnNote ? quote : undefined },
    ...(isOpen ? [{ kind: 'paragraph' as const, text: ONLY_OPENS, isSoft: true }] : []),
  ];
}

const ONLY_OPENS = 'Nothing is accepted or sent by opening a link of this mail.';

type MaybeRow = Omit<Row, 'value'> & { readonly value: string | undefined };

/** Without what is not known: an offer from before a field has it empty. */
function known(rows: readonly MaybeRow[]): Row[] {
  return rows.flatMap(({ value, ...row }) => (value ? [{ ...row, value }] : []));
}

/** Who made the offer. */
function peopleOf({ texts }: OfferLines): MaybeRow[] {
  const { offer_amount: _, ...fields } = forEachVisitorField(({ type }, column) => {
    const name = shortName(column);
    const value = texts[column];
    const label = name.charAt(0).toUpperCase() + name.slice(1);
    return { label, value, ...(type && { url: mailtoOf(value) }) };
  });
  return Object.values(fields);
}

function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

function quoteOf({ message, messageLabel }: OfferLines) {
  return message.length > 0 ? { label: messageLabel, lines: message } : undefined;
}

function lastRowsOf({ language, time, ended, reference, payBy }: OfferLines): MaybeRow[] {
  return [
    { label: 'Language', value: language },
    { label: 'Time', value: time },
    { label: 'Ended', value: ended },
    { label: 'Reference', value: reference },
    { label: 'Pay by', value: payBy },
  ];
}

function amountRow({ amount: { text, isClear }, amountLabel }: OfferLines): MaybeRow {
  return { label: amountLabel, value: text, isClear, isLarge: true };
}

function askingRow({ asking }: OfferLines): MaybeRow {
  return { label: 'Asking', value: asking?.text, isClear: asking?.isClear ?? false };
}

/** Whether the address can stand in a header as it is. */
export function canReplyTo({ customer_email }: Pick<MessageOffer, 'customer_email'>): boolean {
  return !ENCODED_WORD.test(customer_email);
}

/** The text of a header, in which nothing that a visitor typed is decoded. */
export function withoutEncodedWords(line: string): string {
  return line.replaceAll('=?', '= ?');
}
