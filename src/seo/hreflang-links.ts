import { prefixOf } from '../i18n/locale-prefix.ts';

export interface Alternate {
  /** A language's code, or `x-default` for everybody else. */
  readonly hreflang: string;
  readonly href: string;
}

/**
 * A page's addresses in all languages; none where the site has one language only.
 * @param origin such as `https://lap.app`
 * @param path the page's address there, without its language
 */
export function alternatesOf(origin: string, path: string, languages: readonly string[]): Alternate[] {
  if (languages.length < 2) return [];
  return [
    ...languages.map((language) => ({
      hreflang: language,
      href: origin + prefixOf(language, languages) + path,
    })),
    { hreflang: 'x-default', href: origin + path },
  ];
}
