import { hash } from 'node:crypto';
import * as z from 'zod/mini';

/** Most refresh tokens in memory; beyond it, the oldest is evicted. */
const MAX_TOKENS = 10_000;

const SessionSchema = z.object({ refresh_token: z.string() });

/**
 * Stores hashes of the refresh tokens that clients have received since the start, in memory. An attacker cannot guess one,
 * so refreshes with them need no limit of failures: other clients of the same ip or network cannot block them.
 */
export function createDeliveredTokens() {
  const hashes = new Set<string>();
  return {
    has: (token: string) => hashes.has(hashOf(token)),
    /** Adds the token in the response to a sign-in or refresh. Ignores a body without a session. */
    readFrom(body: Buffer): void {
      const token = refreshTokenIn(body);
      if (token === undefined) return;
      hashes.add(hashOf(token));
      const [oldest = ''] = hashes;
      if (hashes.size > MAX_TOKENS) hashes.delete(oldest);
    },
    delete: (token: string) => void hashes.delete(hashOf(token)),
  };
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Of a session, as `/auth/v1/token` takes and returns it, or of a response of `admin-auth`, which contains one. */
export function refreshTokenIn(body: Buffer): string | undefined {
  try {
    const response = JSON.parse(body.toString());
    return SessionSchema.safeParse(response.session ?? response).data?.refresh_token;
  } catch {
    return undefined;
  }
}
