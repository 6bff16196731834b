/** Path prefix of a language: empty for the first of the site's languages, `/de` for another one. */
export function prefixOf(language: string, languages: readonly string[]): string {
  return language === languages[0] ? '' : `/${language}`;
}

/**
 * The language of a page below its own prefix; undefined for the first of the site's languages, which has none.
 * @param pathname of the page
 */
export function prefixedLanguage(language: string, pathname: string): string | undefined {
  return pathname.split('/')[1] === language ? language : undefined;
}
