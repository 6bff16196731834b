/** Letters of an ending that does not stand on a line of its own, such as `.de`. */
const SHORT_ENDING = 4;
/** Letters of a word that may be divided where it is wider than its line. */
const LONG_WORD = 12;

/**
 * Splits a domain's name where a line break is preferred, after `head`, and at its last dot, before `ending`: before a long
 * ending, and in the middle of a long word before a short one. Hyphens are places for a break already.
 */
export function breakName(name: string): [head: string, tail: string, ending: string] {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = [name.slice(0, dot), name.slice(dot + 1)];
  if (ending.length > SHORT_ENDING) return [stem, '', ending];
  const letters = [...stem];
  if (letters.length < LONG_WORD || letters.includes('-')) return ['', stem, ending];
  const middle = Math.ceil(letters.length / 2);
  return [letters.slice(0, middle).join(''), letters.slice(middle).join(''), ending];
}
