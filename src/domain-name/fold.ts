/** Letters that Unicode does not decompose. */
const OTHER_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
};
const OTHER = new RegExp(`[${Object.keys(OTHER_FORMS).join('')}]`, 'g');

/** Lower case without diacritics of Latin letters, for searching: `Bücher` becomes `bucher`. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize()
    .replace(OTHER, (letter) => OTHER_FORMS[letter] ?? letter);
}
