import { UserError } from './user-error.ts';

/** The known name that is equal to a given one or one letter off, in any case; undefined where none is. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  const lower = given.toLowerCase();
  return [...known].find((name) => isOneLetterOff(name.toLowerCase(), lower));
}

/** ` Did you mean sold?`, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const meant = nearest(given, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** The error for a missing or unknown sub-command. @param usage what the command takes */
export function wrongCommand(given: string, known: Iterable<string>, usage: string): UserError {
  if (given === '') return new UserError(usage);
  return new UserError(
    `There is no command ${JSON.stringify(given)}.${didYouMean(given, known) || ` ${usage}`}`,
  );
}

/** One letter missing, too many or another, or two in the wrong order; also true for equal names. */
function isOneLetterOff(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b;
}
