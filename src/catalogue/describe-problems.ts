import { relative } from 'node:path';

/** A problem in a file of the owner. */
export interface Problem {
  readonly what: string;
  /** Line and column, each from 1; absent for the whole file. */
  readonly at?: { readonly line: number; readonly col: number } | undefined;
}

/** One line for each problem in a file, in the order of the file: `own/theme.css:3:5  …`. @param cwd the clone's folder */
export function describeProblems(file: string, problems: readonly Problem[], cwd?: string): string[] {
  const shown = shownPath(file, cwd);
  return problems
    .toSorted((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0))
    .map(({ what, at }) => `  ${at ? `${shown}:${at.line}:${at.col}` : shown}  ${what}`);
}

/** A path as messages show it: relative inside the clone. @param cwd the clone's folder */
export function shownPath(file: string, cwd = process.cwd()): string {
  const inside = relative(cwd, file);
  return inside.startsWith('..') ? file : inside;
}

/** What to do about a file or folder whose reading threw. */
export function whyUnreadableFile(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return REMEDIES[code] ?? `could not be read: ${error}`;
}

const REMEDIES: Record<string, string> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not in UTF-8: save it with that encoding',
  ELOOP: 'is a link that leads back to itself: correct the link, or remove it',
  EACCES: 'may not be read by this user: change its rights',
};
