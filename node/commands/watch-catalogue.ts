import { statSync } from 'node:fs';
import { catalogueFile } from '../../src/catalogue/catalogue-file.ts';

const INTERVAL_MS = 500;

/**
 * Calls `onEdit` after each edit of the catalogue, within a second, and once at the beginning, because of edits that were
 * made just before. The file is looked up each time: it may be replaced, be a symbolic link, be missing, or become the
 * owner's own instead of the sample.
 */
export function watchCatalogue(onEdit: () => void): void {
  let known = stateOfFile();
  setInterval(() => {
    const state = stateOfFile();
    if (state === known) return;
    known = state;
    onEdit();
  }, INTERVAL_MS).unref();
  onEdit();
}

/** Calls `read` again only after an edit of the catalogue; in between it returns, or throws, the same. */
export function cachedByFile<Result>(read: () => Result): () => Result {
  let cached: { state: string; result: () => Result } | undefined;
  return () => {
    const state = stateOfFile();
    if (cached?.state !== state) cached = { state, result: outcomeOf(read) };
    return cached.result();
  };
}

function outcomeOf<Result>(read: () => Result): () => Result {
  try {
    const result = read();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function stateOfFile(): string {
  const file = catalogueFile();
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${file} ${stat.ino} ${stat.size} ${stat.mtimeMs}` : file;
}
