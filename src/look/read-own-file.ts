import { lstatSync, readFileSync, statSync } from 'node:fs';
import type { Mistake } from '../catalogue/describe-mistakes.ts';

/** What was read, or why not. */
export type OwnFile = { readonly text: string } | { readonly mistake: Mistake };

/**
 * Reads a file of the owner.
 * @param maxBytes larger files are rejected without being read
 * @returns undefined where it does not exist
 */
export function readOwnFile(file: string, maxBytes: number): OwnFile | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) {
      const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
      return isLink
        ? wrong('is a link to a file that does not exist: correct the link, or remove it')
        : undefined;
    }
    if (!stat.isFile()) return wrong('is not a file: remove it, or put a file in its place');
    if (stat.size > maxBytes) {
      const size = `${Math.ceil(stat.size / 1024).toLocaleString('en-US')} KB`;
      return wrong(`has ${size}: make it smaller, at most ${maxBytes / 1024} KB are allowed`);
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    return { text };
  } catch (error) {
    return wrong(whyUnreadableFile(error));
  }
}

/** What to do about a file or folder whose reading threw. */
export function whyUnreadableFile(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return REMEDIES[code] ?? `cannot be read: ${error}`;
}

function wrong(what: string): OwnFile {
  return { mistake: { what } };
}

const REMEDIES: Record<string, string> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not in UTF-8: save it with that encoding',
  ELOOP: 'is a link that leads back to itself: correct the link, or remove it',
  EACCES: 'may not be read by this user: change its rights',
};
