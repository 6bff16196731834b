/** Finds guessed tokens without a call of the database each. */
import type { CallDatabase } from '../_shared/call-database.ts';

/** A link that another process made since then is not known yet, in milliseconds. */
const MAX_AGE_MS = 5_000;

/** Knows the hashes of all links' tokens, nearly. Reads their list only where one is looked up. */
export function createPossibleLinks(callDatabase: CallDatabase, now = Date.now) {
  let list: Promise<Set<string>> | undefined;
  let readAt = 0;

  return {
    has: async (hash: string): Promise<boolean> => {
      if (list === undefined || now() - readAt >= MAX_AGE_MS) {
        readAt = now();
        list = callDatabase('read_link_hashes', {}).then((read) => new Set(read));
      }
      return (await list).has(hash.slice(0, 8));
    },
    /** A link that was made here opens at once. */
    add: (hash: string): void => {
      list?.then(
        (known) => known.add(hash.slice(0, 8)),
        () => {},
      );
    },
  };
}
