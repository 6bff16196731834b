import { statSync } from 'node:fs';
import { brandingFiles } from '../../src/branding/branding-files.ts';
import { catalogueFile } from '../../src/catalogue/catalogue-file.ts';

const INTERVAL_MS = 500;

/**
 * Calls `onEdit` after each edit of the catalogue or of the owner's branding, within a second, and once at the beginning,
 * because of edits that were made just before. The files are looked up each time: one may be replaced, be a symbolic link,
 * be missing, or become the owner's own instead of the sample.
 * @returns a function that ends it
 */
export function watchCatalogue(onEdit: () => void): () => void {
  let known = stateOfFiles();
  const timer = setInterval(() => {
    const state = stateOfFiles();
    if (state === known) return;
    known = state;
    onEdit();
  }, INTERVAL_MS).unref();
  onEdit();
  return () => clearInterval(timer);
}

/** Calls `read` again only after an edit of the catalogue or of the owner's branding; in between it returns the same. */
export function cachedByFile<Result>(read: () => Result): () => Result {
  let cached: { state: string; result: Result } | undefined;
  return () => {
    const state = stateOfFiles();
    if (cached?.state !== state) cached = { state, result: read() };
    return cached.result;
  };
}

function stateOfFiles(): string {
  return [stateOf(catalogueFile()), stateOfBranding()].join('\n');
}

function stateOfBranding(): string {
  try {
    return brandingFiles().map(stateOf).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Returns an error as a state of its own: the build reports it, and thrown in the timer it would end the process. The
 * ctime changes when a file's rights are corrected.
 */
function stateOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat ? `${file} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : file;
  } catch (error) {
    return `${file} ${(error as NodeJS.ErrnoException).code}`;
  }
}
