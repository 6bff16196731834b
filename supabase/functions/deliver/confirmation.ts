/** The confirmation to the customer. It holds nothing that the visitor typed: anybody can enter anybody's email address. */
import { replyTime } from '../_shared/contract/reply-within.ts';
import { CONFIRMATION_TEXTS, hasTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { escapeHtml } from './plain-line.ts';

/** By language: creating one takes longer than the rest of the text. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * @param languages in the order of preference; the first with texts is used, otherwise English
 * @param replyWithin the catalogue's setting
 */
export function composeConfirmation(
  { domain_name, created_at }: MessageOffer,
  languages: readonly (string | null | undefined)[],
  replyWithin: string | undefined,
) {
  const language = languages.find(hasTexts) ?? 'en';
  const texts = CONFIRMATION_TEXTS[language];
  const values: Record<string, string> = {
    domain: domain_name,
    time: timeIn(language, created_at),
    replyTime: replyTime(replyWithin, texts.replyTime),
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const paragraphs = [texts.arrived, texts.promise, texts.ignore].map(fill);
  return {
    language,
    subject: fill(texts.subject),
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
  };
}

/** `23 November 2026 at 05:18 UTC`, in the language's own order. */
function timeIn(language: string, createdAt: string): string {
  const format =
    timeFormats.get(language) ??
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
  timeFormats.set(language, format);
  return format.format(new Date(createdAt));
}
