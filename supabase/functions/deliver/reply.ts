/**
 * The mail to the buyer about a move of the owner. It holds nothing that anybody typed into the form: of amounts only that
 * of a counter-offer, which is the owner's.
 */
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import { interpolate } from '../_shared/contract/interpolate.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import {
  type CustomerMail,
  inlineOf,
  lineOf,
  paragraphOf,
  type Row,
  sellerRows,
  tableRowOf,
  textOf,
  timeIn,
} from './confirmation.ts';
import { hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';
import { REPLY_TEXTS } from './reply-texts.ts';

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param link not used for an offer that is declined
 */
export function composeReply(
  { domain_name, move }: MessageOffer,
  languages: readonly (string | null | undefined)[],
  settings: PublishedSettings,
  link: string | undefined,
): CustomerMail {
  const language = languages.find(hasTexts) ?? 'en';
  const texts = REPLY_TEXTS[language];
  const kind = move?.kind as keyof typeof texts.facts;
  if (move === undefined || texts.facts[kind] === undefined) throw new TypeError('no move of the owner');
  const fill = (text: string) => interpolate(text, { domain: domain_name });
  const { labels } = texts;
  const rows: Row[] = [
    { label: labels.domain, value: domain_name },
    ...(kind === 'counter' && move.amount ? [{ label: labels.amount, value: plainLine(move.amount) }] : []),
    ...(move.valid_until
      ? [{ label: labels.until, value: timeIn(language, Date.parse(move.valid_until)) }]
      : []),
  ];
  const note = move.note ? plainLines(move.note) : [];
  const url = kind === 'decline' ? undefined : link;
  const subject = fill(texts.facts[kind]);
  const seller = sellerRows(settings);
  const noteRow = note.map((line) => `<bdi>${escapeMarkup(line)}</bdi>`).join('<br>');
  return {
    language,
    subject,
    text: textOf([
      `${subject}.`,
      rows.map(({ label, value }) => `${label}: ${value}`).join('\n'),
      ...(note.length > 0 ? [note.map((line) => `> ${line}`).join('\n')] : []),
      ...(url ? [url, texts.link] : []),
      ...(seller.length > 0 ? [seller.map(lineOf).join('\n')] : []),
      fill(texts.why),
    ]),
    html: [
      paragraphOf(subject),
      `<table class="offer" cellpadding="4">\n${rows.map(tableRowOf).join('\n')}`,
      ...(note.length > 0
        ? [`<tr><th align="left" valign="top">${escapeMarkup(labels.note)}</th><td>${noteRow}</td></tr>`]
        : []),
      '</table>',
      ...(url
        ? [`<p><a href="${escapeMarkup(url)}">${escapeMarkup(texts.open)}</a></p>`, paragraphOf(texts.link)]
        : []),
      `<div class="foot">`,
      ...(seller.length > 0 ? [`<p>${seller.map(inlineOf).join(' · ')}</p>`] : []),
      `${paragraphOf(fill(texts.why))}\n</div>`,
    ].join('\n'),
  };
}
