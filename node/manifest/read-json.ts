import { readFileSync } from 'node:fs';

/**
 * What a build noted for the next one, or undefined: a note that is empty or cut off, as a power cut leaves it, is none,
 * and what it told of is made anew.
 */
export function readNote<Note>(file: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note;
  } catch {
    return undefined;
  }
}
