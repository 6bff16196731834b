/**
 * Trying a password costs the same whether or not there is such an account. lite hashes it (some 70 ms of the process
 * that answers everybody) only for an account that it finds: how long an answer takes, and how long everybody else
 * waits meanwhile, would tell which accounts there are. So a try for any other address is made for an account that is
 * there, with a password that nobody has: the same work, and the same refusal.
 */
import { randomBytes } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';

type Answer = (request: Request) => Promise<Response>;

/** @param answer lite's own, for every request */
export function withEvenTries(sql: PGlite, answer: Answer): Answer {
  return async (request) => answer(isTry(request) ? await evenTry(sql, request) : request);
}

function isTry(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url);
  return pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password';
}

async function evenTry(sql: PGlite, request: Request): Promise<Request> {
  const { email } = (await request.clone().json()) as { email?: unknown };
  if (typeof email !== 'string') return request;
  // As lite looks for it: in lower case, and only where there is a password.
  const asked = email.toLowerCase();
  const { rows } = await sql.query<{ email: string }>(
    'select email from auth.users where encrypted_password is not null order by (email = $1) desc limit 1',
    [asked],
  );
  const found = rows[0]?.email;
  if (found === undefined || found === asked) return request;
  const password = randomBytes(32).toString('base64url');
  return new Request(request, { body: JSON.stringify({ email: found, password }) });
}
