/**
 * The mail to the buyer about a move of the owner. It holds nothing that anybody typed into the form: of amounts only that
 * of a counter-offer, which is the owner's.
 */
import { interpolate } from '../_shared/contract/interpolate.ts';
import { hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';
import type { MailContent } from './render-mail.ts';
import { REPLY_TEXTS } from './reply-texts.ts';
import { timeIn } from './time-in.ts';

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param link not used for an offer that is declined
 */
export function reply(
  { domain_name, move }: MessageOffer,
  languages: readonly (string | null | undefined)[],
  link: string | undefined,
): MailContent {
  const language = languages.find(hasTexts) ?? 'en';
  const texts = REPLY_TEXTS[language];
  const kind = move?.kind as keyof typeof texts.facts;
  if (move === undefined || texts.facts[kind] === undefined) throw new TypeError('no move of the owner');
  const fill = (text: string) => interpolate(text, { domain: domain_name });
  const { labels } = texts;
  const rows = [
    { label: labels.domain, value: domain_name },
    ...(kind === 'counter' && move.amount ? [{ label: labels.amount, value: plainLine(move.amount) }] : []),
    ...(move.valid_until
      ? [{ label: labels.until, value: timeIn(language, Date.parse(move.valid_until)) }]
      : []),
  ];
  const url = kind === 'decline' ? undefined : link;
  const subject = fill(texts.facts[kind]);
  return {
    language,
    subject,
    headline: subject,
    blocks: [
      {
        rows,
        isOffer: true,
        ...(move.note && { quote: { label: labels.note, lines: plainLines(move.note) } }),
        ...(url && { button: { text: texts.open, url } }),
      },
      ...(url ? [{ text: texts.link }] : []),
    ],
    why: fill(texts.why),
  };
}
