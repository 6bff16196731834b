/**
 * The routes of the embedded project, and the key that each needs in `apikey`:
 *
 *   /functions/v1/NAME                    the key that the function itself asks for
 *   /control/*                            the secret key; what no hosted project has (control.ts)
 *   /rest/v1/rpc/NAME, sign-in, sign-out  the secret key
 *   /auth/v1/admin/users                  the secret key (auth-admin.ts)
 *   everything of @supabase/lite          the public key; the server's allow-list decides what it sends
 *
 * lite serves more than this product needs (sign-up by one-time code even with sign-ups off, its studio, a description
 * of the schema), so the secret key never reaches it.
 */
import * as z from 'zod/mini';
import { Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { toResponse } from '../../supabase/functions/_shared/response.ts';
import { keysMatch } from '../config/keys-match.ts';
import { manageUsers } from './auth-admin.ts';
import { type ControlContext, control } from './control.ts';
import type { Functions } from './functions.ts';
import type { DatabaseKeys } from './open-database.ts';
import { assertRightResults } from './self-check.ts';
import { log } from './workarounds/clean-logs.ts';

/** Calls of the owner's commands that may take long. A wrong result of theirs would be written to a file, or printed. */
const LONG_CALL =
  /^\/rest\/v1\/rpc\/(?:count_offers|erase_customer|export_offers|publish_listings|purge_offers|read_customer|re(?:ad|ceive)_rows)$/;

/** Signs a user in. */
const PASSWORD_GRANT = '/auth/v1/token?grant_type=password';
/** A call of the functions with the rights of a user, whose access token it has. */
const USER_CALL = '/rest/v1/rpc/negotiate_as_owner';
/** Ends the session of the access token. */
const LOGOUT = '/auth/v1/logout?scope=local';

/** Rejects NUL, which PostgreSQL's texts cannot hold, and for which lite's auth sends 500. */
const CredentialsSchema = z.object({
  email: z.string().check(z.regex(/^[^\0]*$/)),
  password: z.string().check(z.regex(/^[^\0]*$/)),
});

export interface RouteContext extends ControlContext {
  readonly keys: DatabaseKeys;
  readonly functions: Functions;
}

export async function handleRequest(request: Request, context: RouteContext): Promise<Response> {
  const { keys, database, functions } = context;
  const url = new URL(request.url);
  const [, name] = /^\/functions\/v1\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (name !== undefined) {
    const served = functions.get(name)?.fetch(request);
    return (await served) ?? toResponse(new Rejection('not_found'), crypto.randomUUID(), undefined);
  }
  const isService = keysMatch(request.headers.get('apikey'), keys.secretKey);
  if (!isService && request.headers.get('apikey') !== keys.publishableKey) {
    return rejection(401, 'Invalid API key.');
  }
  try {
    if (isService) return await serveSecretKey(request, url, context);
    return await withoutHints(await database.fetch(request));
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'request_failed', { path: url.pathname, reason });
    return rejection(
      503,
      isService ? reason : 'The database is not available at the moment. Please try again.',
    );
  }
}

/** An error without the statement's parameters, which hold personal data. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown';
}

/** Serves the edge functions and the owner's commands. A request to lite is built from checked values only. */
async function serveSecretKey(request: Request, url: URL, context: RouteContext): Promise<Response> {
  const { dataDir, database, duringMaintenance, keys } = context;
  if (url.pathname.startsWith('/control/')) return await control(request, url, context);
  const authorization = request.headers.get('authorization') ?? '';
  switch (`${request.method} ${url.pathname}${url.search}`) {
    case `POST ${PASSWORD_GRANT}`: {
      const credentials = CredentialsSchema.safeParse(await request.json().catch(() => undefined));
      if (!credentials.success) return rejection(400, 'The body must be a JSON object with string values.');
      return await database.post(PASSWORD_GRANT, credentials.data);
    }
    case `POST ${LOGOUT}`:
      return await database.post(LOGOUT, {}, authorization);
  }
  if (url.pathname === USER_CALL) {
    const headers = { apikey: keys.publishableKey, 'content-type': 'application/json', authorization };
    return await database.fetch(
      new Request(request.url, { method: 'POST', headers, body: await request.text() }),
    );
  }
  const call = async () =>
    (await database.callService(request, url)) ??
    (await manageUsers(database.sql, dataDir, request, url)) ??
    rejection(404, 'Not found.');
  if (!LONG_CALL.test(url.pathname)) return await call();
  return await duringMaintenance(async () => {
    await assertRightResults(database.sql);
    return await call();
  });
}

/** PostgREST's errors name functions and columns in `hint` and `details`: the code and the message are enough. */
async function withoutHints(response: Response): Promise<Response> {
  if (response.ok || !/^application\/(?:\w+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    return response;
  }
  const body: unknown = await response.json().catch(() => null);
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const text = JSON.stringify(body, (key, value) => (['hint', 'details'].includes(key) ? undefined : value));
  return new Response(text, { status: response.status, headers });
}

function rejection(status: number, message: string): Response {
  return Response.json({ message, error: message }, { status, headers: { 'cache-control': 'no-store' } });
}
