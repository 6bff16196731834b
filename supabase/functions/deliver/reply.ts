/**
 * The mail to the buyer about a move of the owner, or about an acceptance of the buyer's own. It holds nothing that the buyer
 * typed, because anybody can enter anybody's email address: of amounts only that of a counter-offer, which is the owner's, and the
 * agreed one, written anew from number and currency, and no note of the buyer's.
 */
import { interpolate } from '../_shared/contract/interpolate.ts';
import { type ShownAmount, shownMove } from '../_shared/contract/shown-amount.ts';
import { hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';
import type { Block, MailContent } from './render-mail.ts';
import { REPLY_TEXTS } from './reply-texts.ts';
import { timeIn } from './time-in.ts';

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param link not used for an offer that is declined
 */
export function reply(
  { domain_name, move }: Pick<MessageOffer, 'domain_name' | 'move'>,
  languages: readonly (string | null | undefined)[],
  link: string | undefined,
): MailContent {
  const language = languages.find(hasTexts) ?? 'en';
  const texts = REPLY_TEXTS[language];
  const isOwn = move?.side === 'buyer';
  const kind = (isOwn && move.kind === 'accept' ? 'agreed' : move?.kind) as keyof typeof texts.facts;
  if (move === undefined || (isOwn && kind !== 'agreed') || texts.facts[kind] === undefined)
    throw new TypeError('neither a move of the owner nor an acceptance');
  const { labels } = texts;
  const isAgreed = kind === 'accept' || kind === 'agreed';
  const amount = amountFor(kind, move, language);
  const fill = (text: string) => interpolate(text, { domain: domain_name, amount: amount?.text ?? '' });
  const blocks: Block[] = [];
  if (amount?.text)
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
  if (link && kind !== 'decline') {
    const about = isAgreed
      ? texts.linkAgreed
      : `${kind === 'counter' ? `${texts.choices} ` : ''}${texts.link}`;
    blocks.push(
      { kind: 'button', text: isAgreed ? texts.openAgreed : texts.open, url: link },
      { kind: 'paragraph', text: about, isSoft: true },
    );
  }
  const subject = fill(kind === 'accept' && amount ? texts.acceptedAmount : texts.facts[kind]);
  return { language, subject, headline: subject, keep: amount?.text, blocks, why: fill(texts.why) };
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
