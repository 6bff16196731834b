import { lstatSync, readFileSync, statSync } from 'node:fs';
import { whyUnreadableFile } from '../catalogue/describe-mistakes.ts';

/** What was read, or why not. */
export type OwnFile = { readonly text: string } | NotRead;
interface NotRead {
  readonly what: string;
}

/** Reads a text of the owner; as `readOwnBytes`. */
export function readOwnFile(file: string, maxBytes: number): OwnFile | undefined {
  const read = readOwnBytes(file, maxBytes);
  if (!read || 'what' in read) return read;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) };
  } catch (error) {
    return { what: whyUnreadableFile(error) };
  }
}

/**
 * Reads a file of the owner.
 * @param maxBytes larger files are rejected without being read
 * @returns undefined where it does not exist
 */
export function readOwnBytes(
  file: string,
  maxBytes: number,
): { readonly bytes: Buffer } | NotRead | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) {
      const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
      return isLink
        ? { what: 'is a link to a file that does not exist: correct the link, or remove it' }
        : undefined;
    }
    if (!stat.isFile()) return { what: 'is not a file: remove it, or put a file in its place' };
    if (stat.size > maxBytes) {
      const size = Math.ceil(stat.size / 1024).toLocaleString('en-US');
      return { what: `has ${size} KB: make it smaller, at most ${maxBytes / 1024} KB are allowed` };
    }
    return { bytes: readFileSync(file) };
  } catch (error) {
    return { what: whyUnreadableFile(error) };
  }
}
