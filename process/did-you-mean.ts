import { nearest } from './nearest.mjs';
import { UserError } from './user-error.ts';

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
