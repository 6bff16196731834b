/** The confirmation to the customer. It holds nothing that the visitor typed: anybody can enter anybody's email address. */
import type { ConfirmationTexts } from './confirmation-texts.ts';
import type { MessageOffer } from './delivery.ts';
import { de } from './messages.de.ts';
import { en } from './messages.en.ts';
import { escapeHtml } from './plain-line.ts';

/** By BCP 47 code. To add a language, write a file like these. */
export const CONFIRMATIONS: Readonly<Record<string, ConfirmationTexts>> = { de, en };

/** Where neither the page's language nor the catalogue's first one is known. */
const DEFAULT_LANGUAGE = 'en';

/** By language: creating one takes longer than the rest of the text. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

export interface Confirmation {
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param languages in the order of preference; the first with texts is used */
export function composeConfirmation(
  { domain_name, created_at }: MessageOffer,
  languages: readonly (string | null | undefined)[],
): Confirmation {
  const language = languages.find((one) => one && Object.hasOwn(CONFIRMATIONS, one)) ?? DEFAULT_LANGUAGE;
  const texts = CONFIRMATIONS[language] ?? en;
  const values: Record<string, string> = { domain: domain_name, time: timeIn(language, created_at) };
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
  let format = timeFormats.get(language);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
    timeFormats.set(language, format);
  }
  return format.format(new Date(createdAt));
}
