/** Path prefix of a language: empty for the first of the site's languages, `/de` for another one. */
export function prefixOf(language: string, languages: readonly string[]): string {
  return language === languages[0] ? '' : `/${language}`;
}
