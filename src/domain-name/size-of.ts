/** Widths that a name can have, in average letters; see storefront.css. */
const WIDTHS = [4, 5, 5.8, 6.5, 7.3, 8.3, 9.5, 11, 12.5, 14.5, 17, 19, 21.5, 24, 28, 32, 36, 40, 44];
/** Of all wider names. They break, and so can be larger. */
const WIDEST = 33;
/** More letters around the name leave too little room for it on their line. */
const MOST_LETTERS_AROUND = 24;

/** In a monospaced font, which an owner may choose, all are as wide as this. */
const MONOSPACED = 0.91;
/** Letters of Chinese, Japanese and Korean. */
const FULL_WIDTH = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3fffd}]/u;

/** Width of a name in average letters of a proportional font, rounded up to one of the widths. */
export function sizeOf(name: string): number {
  const letters = [...name];
  const widths = letters.map((letter) =>
    /[ijl.-]/.test(letter) ? 0.55 : /[mw]/.test(letter) ? 1.5 : FULL_WIDTH.test(letter) ? 1.6 : 1,
  );
  const width = Math.max(
    widths.reduce((sum, one) => sum + one, 0),
    letters.length * MONOSPACED,
  );
  return WIDTHS.find((known) => known >= width) ?? WIDEST;
}

/**
 * Whether the headline is one line on wide screens, otherwise the words and below them the name. Chosen by the build, so that no
 * font can change it.
 * @param name empty where the visitor selects one later
 * @param words around the name
 */
export function isOneLine(name: string, words: readonly string[]): boolean {
  return words.join('').length <= MOST_LETTERS_AROUND && (!name || sizeOf(name) !== WIDEST);
}

/**
 * Style rules for the widths of the names that a page can show, because the content security policy allows no `style`
 * attribute.
 * @param names absent where any name can be shown
 */
export function sizeRules(names?: readonly string[]): string {
  const widths = names ? new Set(names.map(sizeOf)) : [...WIDTHS, WIDEST];
  return Array.from(widths, (width) => `[data-size="${width}"]{--fit:${width}}`).join('');
}
