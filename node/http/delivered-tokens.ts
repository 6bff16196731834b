import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';

/** Most refresh tokens in memory; beyond it, the oldest is evicted. */
const MAX_TOKENS = 10_000;

/** Responses of `admin-auth` and `/auth/v1/token`; other fields are ignored. */
const SessionSchema = z.object({ refresh_token: z.string() });
const ResponseSchema = z.union([z.object({ session: SessionSchema }), SessionSchema]);

/**
 * Stores hashes of the refresh tokens that clients have received since the start, in memory. An attacker cannot guess one,
 * so refreshes with them need no limit of failures: other clients of the same ip or network cannot block them.
 */
export interface DeliveredTokens {
  has(token: string): boolean;
  /** Adds the token in the response to a sign-in or refresh, while that is forwarded. Ignores a body without a session. */
  readFrom(response: IncomingMessage): void;
  delete(token: string): void;
}

export function createDeliveredTokens(): DeliveredTokens {
  const hashes = new Set<string>();
  return {
    has: (token) => hashes.has(hashOf(token)),
    readFrom(response) {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const token = refreshTokenIn(Buffer.concat(chunks));
        if (token === undefined) return;
        hashes.add(hashOf(token));
        const oldest = hashes.size > MAX_TOKENS ? hashes.values().next().value : undefined;
        if (oldest !== undefined) hashes.delete(oldest);
      });
    },
    delete: (token) => void hashes.delete(hashOf(token)),
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function refreshTokenIn(body: Buffer): string | undefined {
  try {
    const parsed = ResponseSchema.safeParse(JSON.parse(body.toString()));
    if (!parsed.success) return undefined;
    return 'session' in parsed.data ? parsed.data.session.refresh_token : parsed.data.refresh_token;
  } catch {
    return undefined;
  }
}
