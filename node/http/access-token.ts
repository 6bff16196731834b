import * as z from 'zod/mini';

/** Three parts in base64url: no other spelling of a token gets through. */
const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** The latest end of a token that is taken for one, in seconds since 1970: the year 9999. */
const LATEST_END = 253_402_300_799;

/** What a user's token must claim to be sent on; the backend verifies its signature. `exp` in seconds since 1970. */
const ClaimsSchema = z.object({
  role: z.literal('authenticated'),
  aud: z.literal('authenticated'),
  exp: z.number().check(z.maximum(LATEST_END)),
});

/**
 * The role that a request asks for: `anon` with the public key alone, otherwise the token's. Undefined where it may not
 * be sent on: no token of a user, or one that never expires.
 * @param authorization the header; absent, or `Bearer` with the public key or a token
 */
export function roleOf(
  authorization: string | undefined,
  publishableKey: string,
): 'anon' | 'authenticated' | undefined {
  if (authorization === undefined) return 'anon';
  const [, token = ''] = /^Bearer ([^ ]+)$/i.exec(authorization) ?? [];
  if (token === publishableKey) return 'anon';
  return ClaimsSchema.safeParse(claimsOf(token)).success ? 'authenticated' : undefined;
}

function claimsOf(token: string): unknown {
  const [, claims = ''] = TOKEN.exec(token) ?? [];
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  } catch {
    return undefined;
  }
}
