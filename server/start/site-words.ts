import { LANGUAGES, messagesOf } from '../../src/i18n/languages.ts';

/** What visitors read on the site, too easy to guess for a password. @param names every domain of the catalogue */
export function siteWords(names: readonly string[]): string[] {
  return [...LANGUAGES.map((language) => messagesOf(language).page.header), ...names];
}
