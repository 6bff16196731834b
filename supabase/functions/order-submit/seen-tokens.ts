import { fifoCache } from '../_shared/fifo-cache.ts';
import type { Outcome, Receipt } from './outcome.ts';

/** Some 4 MB. */
const MAX_TOKENS = 10_000;

type SeenToken =
  | { outcome: 'stored'; id: string; payload_hash: string }
  | Extract<Outcome, { outcome: 'harder' | 'expired' }>;

export interface SeenTokens {
  /** Undefined if only the database knows the outcome. */
  find(receipt: Receipt, work: number): Outcome | undefined;
  add(receipt: Receipt, outcome: Outcome): void;
}

/** Caches the outcomes of tokens, so that a token sent again costs no call of the database. */
export function createSeenTokens(): SeenTokens {
  const tokens = fifoCache<SeenToken>(MAX_TOKENS);
  return {
    find: ({ token_hash, payload_hash }, work) => {
      const seen = tokens.get(token_hash);
      // The proof of the harder challenge has the same hash.
      if (seen?.outcome === 'harder') return seen.step > work ? seen : undefined;
      if (seen?.outcome !== 'stored') return seen;
      return seen.payload_hash === payload_hash
        ? { outcome: 'repeated', id: seen.id }
        : { outcome: 'conflict' };
    },
    add: ({ token_hash, payload_hash }, outcome) => {
      // A stored offer stays stored, whatever the outcome of a concurrent request.
      if (tokens.get(token_hash)?.outcome === 'stored') return;
      if (outcome.outcome === 'stored' || outcome.outcome === 'repeated') {
        tokens.set(token_hash, { outcome: 'stored', id: outcome.id, payload_hash });
      } else if (outcome.outcome === 'harder' || outcome.outcome === 'expired') {
        tokens.set(token_hash, outcome);
      }
    },
  };
}
