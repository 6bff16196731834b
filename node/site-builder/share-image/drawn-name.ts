import { shownName } from '../../../src/catalogue/shown-name.ts';

/**
 * A domain as it is written in a picture: an `xn--` name in its own letters where these are Latin. Names in other
 * scripts keep their xn-- form: the font lacks most of them, and a chat shows the picture without the page, where some
 * look like another name.
 */
export function drawnName(name: string): string {
  const shown = shownName(name);
  return LATIN.test(shown) ? shown : name;
}

/** Letters of European languages: Latin-1, Latin Extended-A, and Romanian's two. */
const LATIN = /^[a-z0-9.\-ß-öø-ÿā-žșț]+$/u;
