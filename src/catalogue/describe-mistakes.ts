import { relative } from 'node:path';

/** A mistake in a file of the owner. */
export interface Mistake {
  readonly what: string;
  /** Line and column, each from 1; absent for the whole file. */
  readonly at?: { readonly line: number; readonly col: number } | undefined;
}

/** One line for each mistake in a file, in the order of the file: `own/theme.css:3:5  …`. */
export function describeMistakes(file: string, mistakes: readonly Mistake[]): string[] {
  const inside = relative(process.cwd(), file);
  const shown = inside.startsWith('..') ? file : inside;
  return mistakes
    .toSorted((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0))
    .map(({ what, at }) => `  ${at ? `${shown}:${at.line}:${at.col}` : shown}  ${what}`);
}
