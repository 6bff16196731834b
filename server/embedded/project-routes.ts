/**
 * The routes of the embedded project, and the key that each needs in `apikey`:
 *
 *   /functions/v1/NAME                    the key that the function itself asks for
 *   /control/*                            the secret key; what no hosted project has (control.ts)
 *   /rest/v1/rpc/NAME                     the key of its caller in the contract's table (database-calls.ts)
 *   /rest/v1/offers                       the public key
 *   /auth/v1/admin/users                  the secret key (auth-admin.ts)
 *   sign-in with a password, sign-out     the secret key (auth-server.ts)
 *   refresh, own account, sign-out        the public key
 */
import { callsOf } from '#contract/calls.ts';
import { Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { toResponse } from '../../supabase/functions/_shared/response.ts';
import { readClaims } from '../backend-requests/access-token.ts';
import { keysMatch } from '../backend-requests/keys-match.ts';
import { manageUsers } from './auth-admin.ts';
import { type ControlContext, control } from './control.ts';
import type { Caller, ServeCall } from './database-calls.ts';
import type { Functions } from './functions.ts';
import { log } from './log.ts';
import type { DatabaseKeys } from './open-database.ts';
import type { ProjectOptions } from './project-options.ts';
import { assertRightResults } from './self-check.ts';

/** Of auth-server.ts, by key: pages have the public one. */
const AUTH: Readonly<Record<'public' | 'secret', ReadonlySet<string>>> = {
  public: new Set([
    'POST /auth/v1/token?grant_type=refresh_token',
    'GET /auth/v1/user',
    'POST /auth/v1/logout?scope=local',
  ]),
  secret: new Set(['POST /auth/v1/token?grant_type=password', 'POST /auth/v1/logout?scope=local']),
};

const LONG_CALLS = new Set(
  callsOf('service').flatMap(({ name, mayTakeLong }) => (mayTakeLong ? `/rest/v1/rpc/${name}` : [])),
);

export interface RouteContext extends ControlContext {
  readonly keys: DatabaseKeys;
  readonly functions: Functions;
  readonly onResult: NonNullable<ProjectOptions['onResult']>;
}

export async function handleRequest(request: Request, context: RouteContext): Promise<Response> {
  const { keys, functions } = context;
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
    if (AUTH[isService ? 'secret' : 'public'].has(`${request.method} ${url.pathname}${url.search}`)) {
      return (await context.database.serveAuth(request)) ?? rejection(404, 'Not found.');
    }
    const served = isService ? serveSecretKey(request, url, context) : servePublicKey(request, url, context);
    return (await served) ?? rejection(404, 'Not found.');
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

/** Serves pages. Returns undefined where there is no such route. */
async function servePublicKey(
  request: Request,
  url: URL,
  context: RouteContext,
): Promise<Response | undefined> {
  const { keys } = context;
  const caller = callerOf(request, { role: 'anon', claims: {} }, keys.publishableKey, keys);
  if (!caller)
    return Response.json({ code: 'PGRST301', message: 'The token is not valid.' }, { status: 401 });
  return await serveCall(context, request, url, caller, 'public');
}

/** Serves the edge functions and the owner's commands. */
async function serveSecretKey(
  request: Request,
  url: URL,
  context: RouteContext,
): Promise<Response | undefined> {
  const { dataDir, database, duringMaintenance, keys } = context;
  if (url.pathname.startsWith('/control/')) return await control(request, url, context);
  // A function may call for a user, whose token it has.
  const caller = callerOf(request, { role: 'service_role', claims: {} }, keys.secretKey, keys);
  if (!caller) return rejection(401, 'The token is not valid.');
  const call = async () =>
    (await serveCall(context, request, url, caller, 'secret')) ??
    (await manageUsers(database.sql, dataDir, request, url));
  if (!LONG_CALLS.has(url.pathname)) return await call();
  return await duringMaintenance(async () => {
    await assertRightResults(database.sql);
    return await call();
  });
}

async function serveCall(
  { database, onResult }: RouteContext,
  ...call: Parameters<ServeCall>
): Promise<Response | undefined> {
  const response = await database.serveCall(...call);
  if (response?.ok) onResult();
  return response;
}

/** The user of the token, or whom the key alone makes it. Returns undefined with a token that is not genuine. */
function callerOf(
  request: Request,
  ofKey: Caller,
  key: string,
  { jwtSecret }: DatabaseKeys,
): Caller | undefined {
  const authorization = request.headers.get('authorization');
  if (authorization === null || authorization === `Bearer ${key}`) return ofKey;
  const claims = readClaims(authorization, jwtSecret);
  return claims && { role: 'authenticated', claims };
}

function rejection(status: number, message: string): Response {
  return Response.json({ message, error: message }, { status, headers: { 'cache-control': 'no-store' } });
}
