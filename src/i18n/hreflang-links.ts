import { prefixOf } from './locale-prefix.ts';

/**
 * A page's hreflang links, with `x-default` for all other languages; empty where the site has one language only.
 * @param origin such as `https://lap.app`
 * @param path the page's path there, without the language prefix
 */
export function hreflangLinks(
  origin: string,
  path: string,
  languages: readonly string[],
): { hreflang: string; href: string }[] {
  if (languages.length < 2) return [];
  return [
    ...languages.map((language) => ({
      hreflang: language,
      href: origin + prefixOf(language, languages) + path,
    })),
    { hreflang: 'x-default', href: origin + path },
  ];
}
