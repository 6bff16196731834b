import { replyTime } from '#contract/reply-within.ts';
import type { Branding } from '../branding/load-branding.ts';
import { type LocalizedText, textIn } from '../catalogue/description.ts';
import type { Catalogue } from '../catalogue/schema.ts';
import type { OwnText } from '../i18n/island-messages.ts';
import { type Language, messagesOf } from '../i18n/languages.ts';
import { prefixOf } from '../i18n/locale-prefix.ts';
import { textsOf, withOwnTexts } from '../i18n/own-texts.ts';

/** The site in one language. */
export interface LocalizedSite {
  readonly language: Language;
  /** Path prefix: empty, or `/de`. */
  readonly prefix: string;
  readonly messages: ReturnType<typeof messagesOf>;
  /** Language of the owner's texts where it differs: these are in the first language, except those in several. */
  readonly ownersLanguage: Language | undefined;
}

/**
 * The site in each of its languages.
 * @param texts the owner's own
 * @throws {MessagesError} naming a text that is missing
 */
export function localizedSites(
  settings: Pick<Catalogue['settings'], 'languages' | 'replyWithin'>,
  texts: Branding['texts'],
): LocalizedSite[] {
  const { languages } = settings;
  return languages.map((language) => {
    const messages = withReplyTime(
      withOwnTexts(messagesOf(language), texts[language] ?? {}),
      settings.replyWithin,
    );
    const ownersLanguage = language === languages[0] ? undefined : languages[0];
    return { language, prefix: prefixOf(language, languages), messages, ownersLanguage };
  });
}

/** Fills in the time within which the owner answers. */
function withReplyTime<Messages extends ReturnType<typeof messagesOf>>(
  messages: Messages,
  replyWithin: string | undefined,
): Messages {
  const time = replyTime(replyWithin, messages.replyTime);
  const filled = [...textsOf(messages)].map(([key, text]) => [key, text.replaceAll('{replyTime}', time)]);
  return withOwnTexts(messages, Object.fromEntries(filled));
}

/** A text of the owner's for a page, with its language where that is not the page's. */
export function textFor(
  { language, ownersLanguage = language }: LocalizedSite,
  text: LocalizedText | undefined,
): OwnText {
  const found = textIn(text, language, ownersLanguage);
  return { text: found.text, lang: found.language === language ? undefined : found.language };
}

/** Value of the route parameter `language`; undefined for the site at the root. */
export function parameterOf({ prefix }: LocalizedSite): string | undefined {
  return prefix.slice(1) || undefined;
}
