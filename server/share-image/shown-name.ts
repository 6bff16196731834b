import { domainToUnicode } from 'node:url';

/**
 * A domain as it is written in a picture: an `xn--` name in its own letters where these are Latin, as browsers show
 * it. Names in other scripts keep their xn-- form: some look like another name.
 */
export function shownName(name: string): string {
  const decoded = domainToUnicode(name);
  return LATIN.test(decoded) ? decoded : name;
}

/** Letters of European languages: Latin-1, Latin Extended-A, and Romanian's two. */
const LATIN = /^[a-z0-9.\-ß-öø-ÿā-žșț]+$/u;
