/**
 * The confirmation to the customer. It holds nothing that the visitor typed, because anybody can enter anybody's email
 * address: the domain is one of the catalogue, and the language one that has texts.
 */

import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import { interpolate } from '../_shared/contract/interpolate.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { hoursOf, replyTime } from '../_shared/contract/reply-within.ts';
import { CONFIRMATION_TEXTS, hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { plainLine } from './plain-line.ts';

const HOUR_MS = 3_600_000;

/** By language: creating one takes longer than the rest of the text. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** A mail to the customer. */
export interface CustomerMail {
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  /** For the body of an HTML page. */
  readonly html: string;
}

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param settings without any of `owner`, `contact` and `links` it is three sentences
 * @param canReply whether a reply reaches the owner
 */
export function composeConfirmation(
  { domain_name, created_at, low = false }: MessageOffer,
  languages: readonly (string | null | undefined)[],
  settings: PublishedSettings,
  canReply: boolean,
): CustomerMail {
  const { owner, contact, links = [], replyWithin } = settings;
  const language = languages.find(hasTexts) ?? 'en';
  const texts = CONFIRMATION_TEXTS[language];
  const arrivedAt = Date.parse(created_at);
  const values: Record<string, string> = {
    domain: domain_name,
    time: timeIn(language, arrivedAt),
    replyTime: replyTime(replyWithin, texts.replyTime),
  };
  const fill = (text: string) => interpolate(text, values);
  const subject = fill(texts.subject);
  const [promise, ignore] = [low ? texts.low : fill(texts.promise), texts.ignore];

  if (!owner && !contact && links.length === 0) {
    const paragraphs = [fill(texts.arrived), promise, ignore];
    return { language, subject, text: textOf(paragraphs), html: paragraphs.map(paragraphOf).join('\n') };
  }
  const { labels } = texts;
  const page = pageOf(domain_name, language, settings.languages);
  const rows: Row[] = [
    { label: labels.domain, value: domain_name, url: page },
    ...(owner ? [{ label: labels.seller, value: owner }] : []),
    { label: labels.time, value: fill('{time}') },
    ...(low
      ? []
      : [{ label: labels.answerBy, value: timeIn(language, arrivedAt + hoursOf(replyWithin) * HOUR_MS) }]),
  ];
  const seller = sellerRows(settings);
  const questions = canReply ? [texts.questions] : [];
  const why = `${fill(texts.why)} ${ignore}`;
  return {
    language,
    subject,
    text: textOf([
      `${subject}.`,
      `${texts.thanks} ${promise}`,
      rows.map((row) => `${row.label}: ${row.url ?? row.value}`).join('\n'),
      ...questions,
      seller.map(lineOf).join('\n'),
      why,
    ]),
    html: [
      paragraphOf(subject),
      `<p>${escapeMarkup(texts.thanks)} <b>${escapeMarkup(promise)}</b></p>`,
      `<table cellpadding="4">\n${rows.map(tableRowOf).join('\n')}\n</table>`,
      ...questions.map(paragraphOf),
      `<div class="foot">\n<p>${seller.map(inlineOf).join(' · ')}</p>\n${paragraphOf(why)}\n</div>`,
    ].join('\n'),
  };
}

/** A value of the owner's, in one line. */
export interface Row {
  readonly label?: string;
  readonly value: string;
  readonly url?: string;
}

/** Who sells, and how to reach them. */
export function sellerRows({ owner, contact, links = [] }: PublishedSettings): Row[] {
  return [
    ...(owner ? [{ value: owner }] : []),
    ...(contact ? [{ value: contact, url: `mailto:${contact}` }] : []),
    ...links.map(({ text, url }) => ({ value: text, url })),
  ];
}

/** The domain's own page in a language, or in the site's first where it has no page in that one. */
function pageOf(domain: string, language: string, [first, ...others]: readonly string[] = []): string {
  return `https://${domain}/${language !== first && others.includes(language) ? `${language}/` : ''}`;
}

export function textOf(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

/** `Imprint: https://…`; an email or a telephone number alone where it is the text, too. */
export function lineOf({ value, url }: Row): string {
  return url === undefined || url === `mailto:${value}` ? value : `${value}: ${url}`;
}

export function paragraphOf(text: string): string {
  return `<p>${escapeMarkup(text)}</p>`;
}

export function tableRowOf(row: Row): string {
  return `<tr><th align="left" valign="top">${escapeMarkup(row.label ?? '')}</th><td>${inlineOf(row)}</td></tr>`;
}

export function inlineOf({ value, url }: Row): string {
  const text = escapeMarkup(plainLine(value));
  return url === undefined ? `<bdi>${text}</bdi>` : `<a href="${escapeMarkup(url)}">${text}</a>`;
}

/** `Nov 23, 2026, 5:18 AM UTC`, in the language's own order. */
export function timeIn(language: string, time: number): string {
  const format =
    timeFormats.get(language) ??
    new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    });
  timeFormats.set(language, format);
  return format.format(time);
}
