/** Finds guessed tokens without a call of the database each. */
import * as z from 'zod/mini';
import type { CallDatabase } from '../_shared/call-database.ts';

/** A link that was made since then is not known yet, in milliseconds. */
const MAX_AGE_MS = 5_000;

/** The beginnings of all links' hashes, of one length. */
const ReadSchema = z.array(z.string());

/** Returns whether there may be a link with this hash of its token. Reads the list only when it is called. */
export function createPossibleLinks(callDatabase: CallDatabase, now = Date.now) {
  let list: Promise<ReadonlySet<string>> | undefined;
  let readAt = 0;

  return async (hash: string): Promise<boolean> => {
    if (list === undefined || now() - readAt >= MAX_AGE_MS) {
      readAt = now();
      list = callDatabase('read_link_hashes', {}).then((read) => new Set(ReadSchema.parse(read)));
    }
    return (await list).has(hash.slice(0, 8));
  };
}
