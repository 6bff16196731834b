import { fifoCache } from '../_shared/fifo-cache.ts';
import type { Outcome, Receipt } from './outcome.ts';

/** Some 8 MB. */
const MAX_TOKENS = 10_000;

interface SeenToken {
  readonly outcome: Outcome;
  readonly payloadHash: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Caches the outcomes of tokens, so that a token sent again costs no call of the database. An offer for a name that is not
 * for sale is rejected before it gets here, since the name may be for sale later.
 */
export function createSeenTokens() {
  const tokens = fifoCache<SeenToken>(MAX_TOKENS);
  return {
    /** Undefined if only the database knows the outcome. */
    find: ({ token_hash, payload_hash }: Receipt, work: number): Outcome | undefined => {
      const seen = tokens.get(token_hash);
      return seen && outcomeFor(seen, payload_hash, work);
    },
    add: ({ token_hash, payload_hash }: Receipt, outcome: Outcome): void => {
      // A stored offer stays stored, whatever the outcome of a concurrent request.
      if (isStored(tokens.get(token_hash)?.outcome)) return;
      const at = Date.now();
      // Cached as the offer that was stored, so that no other texts need a call of the database.
      if (outcome.outcome !== 'conflict') tokens.set(token_hash, { outcome, payloadHash: payload_hash, at });
      else {
        const { id, payload_hash: payloadHash } = outcome;
        tokens.set(token_hash, { outcome: { outcome: 'repeated', id }, payloadHash, at });
      }
    },
  };
}

function isStored(outcome: Outcome | undefined): boolean {
  return outcome?.outcome === 'stored' || outcome?.outcome === 'repeated';
}

function outcomeFor({ outcome, payloadHash, at }: SeenToken, payload_hash: string, work: number) {
  switch (outcome.outcome) {
    case 'stored':
    case 'repeated':
      return payloadHash === payload_hash
        ? ({ outcome: 'repeated', id: outcome.id } as const)
        : ({ outcome: 'conflict', id: outcome.id, payload_hash: payloadHash } as const);
    case 'limited': {
      const wait = Math.ceil(outcome.wait - (Date.now() - at) / 1000);
      return wait > 0 ? { ...outcome, wait } : undefined;
    }
    case 'harder':
      // The proof of the harder challenge has the same hash.
      return outcome.step > work ? outcome : undefined;
    default:
      return outcome;
  }
}
