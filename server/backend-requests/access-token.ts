import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { keysMatch } from './keys-match.ts';

/** Three parts in base64url: no other spelling of a token gets through. */
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** The latest end of a token that is taken for one, in seconds since 1970: the year 9999. */
const LATEST_END = 253_402_300_799;

/** Claims of a user's token that is sent on, with others beside. Times in seconds since 1970. */
const ClaimsSchema = z.looseObject({
  role: z.literal('authenticated'),
  aud: z.literal('authenticated'),
  sub: z.optional(z.string()),
  exp: z.number().check(z.maximum(LATEST_END)),
  nbf: z.optional(z.number()),
  iat: z.optional(z.number()),
});
export type Claims = z.infer<typeof ClaimsSchema>;

const TokenSchema = z.tuple([z.object({ alg: z.literal('HS256') }), ClaimsSchema]);

export type Role = 'anon' | 'authenticated';

/**
 * Reads the role from an `Authorization` header: that of a visitor, who has the public key alone, or of a user with a
 * genuine token (HS256, signed with `tokenSecret`) that has not expired. All other tokens end here: the database has one
 * connection, and verifying forged ones there would keep it from its work.
 */
export function readRole(
  authorization: string | undefined,
  { publishableKey, tokenSecret }: { publishableKey: string; tokenSecret: string },
): Role | undefined {
  if (authorization === undefined || tokenOf(authorization) === publishableKey) return 'anon';
  return readClaims(authorization, tokenSecret) ? 'authenticated' : undefined;
}

function tokenOf(authorization: string): string {
  return /^Bearer ([^ ]+)$/i.exec(authorization)?.[1] ?? '';
}

/** Returns a token with these claims. */
export function signClaims(claims: Claims, secret: string): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${parts.join('.')}.${signatureOf(parts.join('.'), secret)}`;
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Returns the claims of a genuine token in an `Authorization` header. */
export function readClaims(authorization: string, secret: string): Claims | undefined {
  const token = tokenOf(authorization);
  const [, header = '', claims = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!keysMatch(signature, signatureOf(`${header}.${claims}`, secret))) return undefined;
  try {
    const parts = [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    const parsed = TokenSchema.safeParse(parts);
    const found = parsed.data?.[1];
    const now = Date.now() / 1_000;
    return found && now < found.exp && now >= Math.max(found.nbf ?? 0, found.iat ?? 0) ? found : undefined;
  } catch {
    return undefined;
  }
}
