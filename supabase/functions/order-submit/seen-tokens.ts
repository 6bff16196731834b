import { fifoCache } from '../_shared/fifo-cache.ts';
import type { Outcome, Receipt } from './outcome.ts';

/** Some 4 MB. */
const MAX_TOKENS = 10_000;

type SeenToken =
  | { outcome: 'stored'; id: string; payload_hash: string }
  | { outcome: 'conflict'; payload_hash: string }
  /** `until` in milliseconds since 1970. */
  | { outcome: 'limited'; until: number }
  | Extract<Outcome, { outcome: 'harder' | 'expired' }>;

export interface SeenTokens {
  /** Undefined if only the database knows the outcome. */
  find(receipt: Receipt, work: number): Outcome | undefined;
  add(receipt: Receipt, outcome: Outcome): void;
}

/** Caches every outcome of a token, so that a token sent again costs no call of the database. */
export function createSeenTokens(): SeenTokens {
  const tokens = fifoCache<SeenToken>(MAX_TOKENS);
  return {
    find: ({ token_hash, payload_hash }, work) => {
      const seen = tokens.get(token_hash);
      switch (seen?.outcome) {
        case 'stored':
          return seen.payload_hash === payload_hash
            ? { outcome: 'repeated', id: seen.id }
            : { outcome: 'conflict' };
        case 'conflict':
          // Other texts may be those of the stored offer.
          return seen.payload_hash === payload_hash ? { outcome: 'conflict' } : undefined;
        case 'limited': {
          const wait = Math.ceil((seen.until - Date.now()) / 1000);
          return wait > 0 ? { outcome: 'limited', wait } : undefined;
        }
        case 'harder':
          // The proof of the harder challenge has the same hash.
          return seen.step > work ? seen : undefined;
        default:
          return seen;
      }
    },
    add: ({ token_hash, payload_hash }, outcome) => {
      // A stored offer stays stored, whatever the outcome of a concurrent request.
      if (tokens.get(token_hash)?.outcome === 'stored') return;
      switch (outcome.outcome) {
        case 'stored':
        case 'repeated':
          tokens.set(token_hash, { outcome: 'stored', id: outcome.id, payload_hash });
          break;
        case 'conflict':
          tokens.set(token_hash, { outcome: 'conflict', payload_hash });
          break;
        case 'limited':
          tokens.set(token_hash, { outcome: 'limited', until: Date.now() + outcome.wait * 1000 });
          break;
        case 'harder':
        case 'expired':
          tokens.set(token_hash, outcome);
      }
    },
  };
}
