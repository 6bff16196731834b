import { type Language, messagesOf } from '../i18n/languages.ts';
import { prefixOf } from '../i18n/locale-prefix.ts';

/** The site in one language. */
export interface LocalizedSite {
  readonly language: Language;
  /** Path prefix: empty, or `/de`. */
  readonly prefix: string;
  readonly messages: ReturnType<typeof messagesOf>;
  /** Language of the owner's texts where it differs: these are written once, in the first language. */
  readonly ownersLanguage: Language | undefined;
}

/**
 * The site in each of its languages.
 * @throws {MessagesError} naming a text that is missing
 */
export function localizedSites(languages: readonly Language[]): LocalizedSite[] {
  return languages.map((language) => ({
    language,
    prefix: prefixOf(language, languages),
    messages: messagesOf(language),
    ownersLanguage: language === languages[0] ? undefined : languages[0],
  }));
}

/** Value of the route parameter `language`; undefined for the site at the root. */
export function parameterOf({ prefix }: LocalizedSite): string | undefined {
  return prefix.slice(1) || undefined;
}
