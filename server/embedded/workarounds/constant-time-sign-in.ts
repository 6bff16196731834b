/**
 * Makes a sign-in cost the same whether or not the account exists. @supabase/lite 0.10 hashes the password (some 70 ms
 * of the process that serves all requests) only for an account that it finds: the time of the response, and of all others
 * meanwhile, would show which accounts exist. So a sign-in with an unknown email is sent on with the email of an existing
 * account and a random password: the same work, and the same rejection. Not reported yet; the report is
 * docs/upstream/supabase-lite-0.10.md.
 */
import { randomBytes } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';

type Fetch = (request: Request) => Promise<Response>;

/** @param fetch lite's own */
export function withConstantTimeSignIn(sql: PGlite, fetch: Fetch): Fetch {
  return async (request) => fetch(isSignIn(request) ? await withExistingEmail(sql, request) : request);
}

function isSignIn(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url);
  return pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password';
}

async function withExistingEmail(sql: PGlite, request: Request): Promise<Request> {
  const { email } = (await request.clone().json()) as { email?: unknown };
  if (typeof email !== 'string') return request;
  // As lite searches: in lower case, and only accounts that have a password.
  const wanted = email.toLowerCase();
  const { rows } = await sql.query<{ email: string }>(
    'select email from auth.users where encrypted_password is not null order by (email = $1) desc limit 1',
    [wanted],
  );
  const found = rows[0]?.email;
  if (found === undefined || found === wanted) return request;
  const password = randomBytes(32).toString('base64url');
  return new Request(request, { body: JSON.stringify({ email: found, password }) });
}
