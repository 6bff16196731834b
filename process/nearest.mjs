// @ts-check
// Plain JavaScript, because cli.mjs needs it on whatever Node there is.

/**
 * The known name that is equal to a given one or one letter off, in any case; undefined where none is.
 * @param {string} given
 * @param {Iterable<string>} known
 */
export function nearest(given, known) {
  const lower = given.toLowerCase();
  return [...known].find((name) => isOneLetterOff(name.toLowerCase(), lower));
}

/**
 * One letter missing, too many or another, or two in the wrong order; also true for equal names.
 * @param {string} one
 * @param {string} other
 */
function isOneLetterOff(one, other) {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b;
}
