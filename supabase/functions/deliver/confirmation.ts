/**
 * The confirmation to the customer. It holds nothing that the visitor typed, because anybody can enter anybody's email
 * address: the domain is one of the catalogue, and the language one that has texts.
 */

import { interpolate } from '../_shared/contract/interpolate.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { hoursOf, replyTime } from '../_shared/contract/reply-within.ts';
import { CONFIRMATION_TEXTS, hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import type { Block, MailContent } from './render-mail.ts';
import { codeFor } from './reply.ts';
import { REPLY_TEXTS } from './reply-texts.ts';
import { timeIn } from './time-in.ts';

const HOUR_MS = 3_600_000;

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param settings without any of `owner`, `contact` and `links` it is three sentences
 * @param canReply whether a reply reaches the owner
 * @param link to the offer; undefined: the mail has none
 */
export function confirmation(
  { domain_name, created_at, low = false }: MessageOffer,
  languages: readonly (string | null | undefined)[],
  settings: PublishedSettings,
  canReply: boolean,
  link: string | undefined,
): MailContent {
  const { owner, contact, links = [], replyWithin } = settings;
  const language = languages.find(hasTexts) ?? 'en';
  const texts = CONFIRMATION_TEXTS[language];
  const arrivedAt = Date.parse(created_at);
  const time = timeIn(language, arrivedAt);
  const values = { domain: domain_name, time, replyTime: replyTime(replyWithin, texts.replyTime) };
  const fill = (text: string) => interpolate(text, values);
  const subject = fill(texts.subject);
  const promise = low ? texts.low : fill(texts.promise);

  const code = codeFor(link, language);
  const linkBlocks: Block[] = link
    ? [
        { kind: 'button', text: texts.open, url: link },
        { kind: 'paragraph', text: `${texts.choices} ${REPLY_TEXTS[language].link}`, isSoft: true },
      ]
    : [];

  if (!owner && !contact && links.length === 0) {
    const [first, last] = [promise, texts.ignore].map((text) => ({ kind: 'paragraph' as const, text }));
    const blocks = [first, ...linkBlocks, last].filter((block) => block !== undefined);
    return { language, subject, headline: fill(texts.arrived), blocks, code };
  }
  const { labels } = texts;
  const answerBy = timeIn(language, arrivedAt + hoursOf(replyWithin) * HOUR_MS);
  const rows = [
    { label: labels.domain, value: domain_name, url: pageOf(domain_name, language, settings.languages) },
    ...(owner ? [{ label: labels.seller, value: owner }] : []),
    { label: labels.time, value: time },
    ...(low ? [] : [{ label: labels.answerBy, value: answerBy }]),
  ];
  return {
    language,
    subject,
    headline: subject,
    blocks: [
      { kind: 'paragraph', text: texts.thanks, strong: promise },
      ...linkBlocks,
      { kind: 'facts', rows },
      ...(canReply ? [{ kind: 'paragraph' as const, text: texts.questions }] : []),
    ],
    code,
    why: `${fill(texts.why)} ${texts.ignore}`,
  };
}

/** The domain's own page in a language, or in the site's first where it has no page in that one. */
function pageOf(domain: string, language: string, [first, ...others]: readonly string[] = []): string {
  return `https://${domain}/${language !== first && others.includes(language) ? `${language}/` : ''}`;
}
