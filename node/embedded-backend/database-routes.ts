/**
 * The routes of the database's port, and the key that each needs:
 *
 *   /control/*                            what no hosted project has, with the secret key (control.ts)
 *   /control/ping?challenge=…             a proof of identity, without a key, once the database is open (prove-identity.ts)
 *   /rest/v1/rpc/NAME, sign-in, sign-out  the functions and the owner's commands, with the secret key
 *   /auth/v1/admin/users                  the owner's commands, with the secret key (auth-admin.ts)
 *   everything of @supabase/lite          the gateway, with its own key; its allow-list decides what it sends
 *
 * lite serves more than this product needs (sign-up by one-time code even with sign-ups off, its studio, a description
 * of the schema), so nothing else reaches it. The port is open on loopback alone, which other users of the machine and
 * pages in the owner's browser reach too.
 */
import * as z from 'zod/mini';
import { keysMatch } from '../config/keys-match.ts';
import { manageUsers } from './auth-admin.ts';
import { type ControlContext, control } from './control.ts';
import type { DatabaseKeys } from './open-database.ts';
import { CHALLENGE, proveIdentity } from './prove-identity.ts';
import { assertRightResults } from './self-check.ts';
import { log } from './workarounds/clean-logs.ts';

/** The longest request body of the gateway, and with the secret key: a catalogue, or many rows; in bytes. */
const MAX_BODY = 64 * 1024;
const MAX_BODY_WITH_SECRET_KEY = 16 * 1024 * 1024;

/** Calls of the owner's commands that may take long. A wrong result of theirs would be written to a file, or printed. */
const LONG_CALL =
  /^\/rest\/v1\/rpc\/(?:count_offers|erase_customer|export_offers|publish_listings|purge_offers|read_customer|re(?:ad|ceive)_rows)$/;

/** Sent by the gateway with every request, and by no other client. */
const GATEWAY_KEY_HEADER = 'x-gateway-key';

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

export interface RouteContext {
  readonly keys: DatabaseKeys;
  readonly gatewayKey: string;
  /** Origin of the port. */
  readonly origin: string;
  /** Undefined until the database is open. */
  readonly open: ControlContext | undefined;
}

export async function handleRequest(
  request: Request,
  { keys, gatewayKey, origin, open }: RouteContext,
): Promise<Response> {
  const url = new URL(request.url);
  const challenge = url.searchParams.get('challenge') ?? '';
  const isPing = request.method === 'GET' && url.pathname === '/control/ping' && CHALLENGE.test(challenge);
  if (open && isPing) return new Response(proveIdentity(keys.secretKey, origin, challenge));
  const hasSecretKey = keysMatch(request.headers.get('apikey'), keys.secretKey);
  const isGateway = keysMatch(request.headers.get(GATEWAY_KEY_HEADER), gatewayKey);
  if (!hasSecretKey && !isGateway) return rejection(404, 'Not found.');
  if (isGateway && holdsSecretKey(request, url, keys)) {
    return rejection(401, 'The secret key is not accepted here.');
  }
  if (!open) return rejection(503, 'The database is starting. Please try again in a moment.');
  const maxBody = isGateway ? MAX_BODY : MAX_BODY_WITH_SECRET_KEY;
  if (isTooLong(request, maxBody)) return rejection(413, `A request body can have ${maxBody} bytes.`);
  try {
    if (!isGateway) return await serveSecretKey(request, url, open, keys);
    return await withoutHints(await open.database.fetch(await withoutGatewayKey(request)));
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'request_failed', { path: url.pathname, reason });
    return rejection(
      503,
      isGateway ? 'The database is not available at the moment. Please try again.' : reason,
    );
  }
}

/** An error without the statement's parameters, which hold personal data. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown';
}

/** Serves the edge functions and the owner's commands. A request to lite is built from checked values only. */
async function serveSecretKey(
  request: Request,
  url: URL,
  open: ControlContext,
  { publishableKey }: DatabaseKeys,
): Promise<Response> {
  const { dataDir, database, duringMaintenance } = open;
  if (url.pathname.startsWith('/control/')) return await control(request, url, open);
  switch (`${request.method} ${url.pathname}${url.search}`) {
    case `POST ${PASSWORD_GRANT}`: {
      const credentials = CredentialsSchema.safeParse(await request.json().catch(() => undefined));
      if (!credentials.success) return rejection(400, 'The body must be a JSON object with string values.');
      return await database.post(PASSWORD_GRANT, credentials.data);
    }
    case `POST ${LOGOUT}`:
      return await database.post(LOGOUT, {}, request.headers.get('authorization') ?? '');
  }
  const authorization = request.headers.get('authorization') ?? '';
  if (url.pathname === USER_CALL) {
    const headers = { apikey: publishableKey, 'content-type': 'application/json', authorization };
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

/** lite takes a key as `apikey`, in the headers or in the query, and as a bearer token. */
function holdsSecretKey({ headers }: Request, url: URL, { secretKey }: DatabaseKeys): boolean {
  const query = url.search.replace(/%([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (/apikey/i.test(query)) return true;
  const bearer = (headers.get('authorization') ?? '').replace(/^\s*bearer\s+/i, '').trim();
  return keysMatch(headers.get('apikey'), secretKey) || keysMatch(bearer, secretKey);
}

async function withoutGatewayKey(request: Request): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.delete(GATEWAY_KEY_HEADER);
  const { method, url } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, ...(hasBody ? { body: await request.arrayBuffer() } : {}) });
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

function isTooLong({ headers }: Request, max: number): boolean {
  return Number(headers.get('content-length') ?? 0) > max || headers.has('transfer-encoding');
}

function rejection(status: number, message: string): Response {
  return Response.json({ message, error: message }, { status, headers: { 'cache-control': 'no-store' } });
}
