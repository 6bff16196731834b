import { prefixOf } from './locale-prefix.ts';

export interface HreflangLink {
  /** A language's code, or `x-default` for all other languages. */
  readonly hreflang: string;
  readonly href: string;
}

/**
 * A page's hreflang links; empty where the site has one language only.
 * @param origin such as `https://lap.app`
 * @param path the page's path there, without the language prefix
 */
export function hreflangLinks(origin: string, path: string, languages: readonly string[]): HreflangLink[] {
  if (languages.length < 2) return [];
  return [
    ...languages.map((language) => ({
      hreflang: language,
      href: origin + prefixOf(language, languages) + path,
    })),
    { hreflang: 'x-default', href: origin + path },
  ];
}
