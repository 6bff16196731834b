/**
 * The mails to the buyer about a move of the owner, an acceptance of the buyer's own, or a payment. They hold nothing that the buyer
 * typed, because anybody can enter anybody's email address: of amounts only that of a counter-offer, which is the owner's, and the
 * agreed one, written anew from number and currency, and no note of the buyer's.
 */
import { checkoutValues, payUrlOf } from '../_shared/contract/checkout.ts';
import { interpolate } from '../_shared/contract/interpolate.ts';
import { codeOf, findToken } from '../_shared/contract/link-code.ts';
import { priceIn, type ShownAmount, shownMove } from '../_shared/contract/shown-amount.ts';
import { isEnd } from '../_shared/offer-link.ts';
import { hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';
import type { Block, MailContent } from './render-mail.ts';
import { type Language, REPLY_TEXTS } from './reply-texts.ts';
import { dateIn, timeIn } from './time-in.ts';

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param link undefined: the mail has none
 */
export function reply(
  offer: DealOffer,
  languages: readonly (string | null | undefined)[],
  link: string | undefined,
): MailContent {
  const { domain_name, move } = offer;
  const language = languages.find(hasTexts) ?? 'en';
  const texts = REPLY_TEXTS[language];
  const isOwn = move?.side === 'buyer';
  const kind = (
    isOwn && move.kind === 'accept'
      ? 'agreed'
      : move?.kind === 'take_back' && move.as === 'rejected'
        ? 'fell_through'
        : move?.kind
  ) as keyof typeof texts.facts;
  if (move === undefined || (isOwn && kind !== 'agreed') || texts.facts[kind] === undefined)
    throw new TypeError('neither a move of the owner nor an acceptance');
  const { labels } = texts;
  const isAgreed = kind === 'accept' || kind === 'agreed';
  const amount = amountFor(kind, move, language);
  const fill = (text: string) => interpolate(text, { domain: domain_name, amount: amount?.text ?? '' });
  const isLarge = isAgreed && amount?.isClear === true;
  const subject = fill(isLarge ? texts.agreedAmount : texts.facts[kind]);
  const blocks: Block[] = [];
  if (amount?.text && !isLarge)
    blocks.push({
      kind: 'amount',
      label: isAgreed ? labels.agreed : labels.amount,
      value: amount.text,
      isClear: amount.isClear,
    });
  if (move.valid_until) {
    const strong = timeIn(language, Date.parse(move.valid_until));
    blocks.push({ kind: 'paragraph', text: labels.until, strong });
  }
  if (move.note && !isOwn) blocks.push({ kind: 'quote', label: labels.note, lines: plainLines(move.note) });
  if (isAgreed) blocks.push(...dealBlocks(offer, language, link));
  else if (link) {
    const hasEnded = isEnd(move);
    const choices = kind === 'counter' ? `${texts.choices} ` : '';
    blocks.push(
      { kind: 'button', text: texts.open, url: link },
      { kind: 'paragraph', text: hasEnded ? texts.linkEnded : `${choices}${texts.link}`, isSoft: true },
    );
  }
  const code = codeFor(link, language);
  const keep = amount?.text;
  return { language, subject, headline: subject, keep, isLarge, blocks, code, why: fill(texts.why) };
}

/** The code that stands for a link; `…` in the preview of a mail whose link is yet to be made. */
export function codeFor(link: string | undefined, language: Language): MailContent['code'] {
  if (link === undefined) return undefined;
  const token = findToken(link);
  const { code: text } = REPLY_TEXTS[language];
  return { text, page: link.replace(/#.*/, ''), code: token === undefined ? '…' : codeOf(token) };
}

/** The reminder of a payment, two days before its date. */
export function reminder(
  offer: DealOffer,
  languages: readonly (string | null | undefined)[],
  link: string | undefined,
): MailContent {
  const language = languages.find(hasTexts) ?? 'en';
  const texts = REPLY_TEXTS[language];
  const { deal } = offer;
  if (deal?.pay_by === undefined) throw new TypeError('no payment to remind of');
  const price = agreedPrice(deal, language);
  const values = {
    domain: offer.domain_name,
    amount: price?.text ?? '',
    date: dateIn(language, deal.pay_by),
  };
  const subject = interpolate(price ? texts.reminderAmount : texts.reminder, values);
  return {
    language,
    subject,
    headline: subject,
    keep: price?.text,
    blocks: dealBlocks(offer, language, link),
    code: codeFor(link, language),
    why: interpolate(texts.why, values),
  };
}

type DealOffer = Pick<MessageOffer, 'domain_name' | 'move' | 'deal'>;
type Deal = NonNullable<MessageOffer['deal']>;

/** When to pay, the button to the page of the deal, and the reference. The page has the link to pay, since it may change. */
function dealBlocks({ domain_name, deal }: DealOffer, language: Language, link: string | undefined): Block[] {
  const texts = REPLY_TEXTS[language];
  const { labels } = texts;
  const price = deal && agreedPrice(deal, language);
  const values = deal && checkoutValues(domain_name, price && priceIn(deal), deal);
  const hasPayButton = deal && values && payUrlOf(deal.way, deal, values) !== undefined;
  const blocks: Block[] = [];
  if (deal?.pay_by)
    blocks.push({
      kind: 'paragraph',
      text: labels.payBy,
      strong: dateIn(language, deal.pay_by),
      isLarge: true,
    });
  if (link) {
    const pays = hasPayButton && price && interpolate(texts.pay, { amount: price.text });
    blocks.push(
      { kind: 'button', text: pays || texts.openAgreed, url: link },
      { kind: 'paragraph', text: `${pays ? `${texts.opensDeal} ` : ''}${texts.linkAgreed}`, isSoft: true },
    );
  }
  if (deal) blocks.push({ kind: 'facts', rows: [{ label: labels.reference, value: deal.reference }] });
  return blocks;
}

/** The agreed amount, where it is clear. */
function agreedPrice(deal: Deal, language: string): ShownAmount | undefined {
  const shown = shownMove({ ...deal, kind: 'accept' }, language);
  return shown.isClear ? shown : undefined;
}

/** The amount of a move. Of an acceptance by the owner, whose amount the buyer typed, undefined where it is not clear. */
function amountFor(
  kind: string,
  move: NonNullable<MessageOffer['move']>,
  language: string,
): ShownAmount | undefined {
  const amount = shownMove({ ...move, amount: plainLine(move.amount ?? '') }, language);
  return kind === 'accept' && !amount.isClear ? undefined : amount;
}
