/**
 * Plays a hosted project on an origin of its own: data API, auth and functions of the embedded one, which its keys open as they
 * do there, CORS as the platform sends it, and the parts of GoTrue's admin API that the owner's commands use.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readClaims } from '../../server/backend-requests/access-token.ts';
import { manageUsers } from '../../server/embedded/auth-admin.ts';
import { KEYS, openBooted } from '../../server/embedded/booted-database.fixture.ts';
import type { Caller } from '../../server/embedded/database-calls.ts';
import { createFunctions } from '../../server/embedded/functions.ts';
import type { OpenDatabase } from '../../server/embedded/open-database.ts';
import { createContext } from '../../supabase/functions/_shared/context.ts';
import { readSettings } from '../../supabase/functions/_shared/settings.ts';

export interface HostedStandIn {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly database: OpenDatabase;
  /** Called before each response. */
  onRequest(): void;
  stop(): Promise<void>;
}

/** @param env settings of the functions, besides the keys */
export async function startHostedStandIn(env: Record<string, string> = {}): Promise<HostedStandIn> {
  const database = await openBooted();
  // A project has none: nothing lies in it.
  const dataDir = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const server = createServer(async (incoming, outgoing) => {
    const response = await respond(await requestOf(incoming)).catch((error: unknown) =>
      Response.json({ message: String(error) }, { status: 500 }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = readSettings({
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: KEYS.publishableKey,
    SUPABASE_SECRET_KEY: KEYS.secretKey,
    LOOPBACK_ONLY: '1',
    RATE_LIMIT_SCALE: '1000',
    ...env,
  });
  const functions = createFunctions(createContext(settings));
  const standIn: HostedStandIn = {
    url,
    publishableKey: KEYS.publishableKey,
    secretKey: KEYS.secretKey,
    database,
    onRequest: () => {},
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
  return standIn;

  async function respond(request: Request): Promise<Response> {
    standIn.onRequest();
    const { pathname } = new URL(request.url);
    const name = /^\/functions\/v1\/([\w-]+)$/.exec(pathname)?.[1] ?? '';
    const served = functions.get(name)?.fetch(request);
    if (served) return await served;
    if (request.method === 'OPTIONS') return withCors(new Response(null, { status: 204 }));
    if (pathname.startsWith('/auth/v1/admin/users')) return await serveAccounts(database, dataDir, request);
    if (pathname === '/auth/v1/settings') {
      if (request.headers.get('apikey') !== KEYS.publishableKey) {
        return Response.json({ message: 'Invalid API key' }, { status: 401 });
      }
      return Response.json({ disable_signup: true, external: { email: true, anonymous_users: false } });
    }
    return withCors(await serveDatabase(database, request));
  }
}

/** With either key, what its role may do. */
async function serveDatabase(database: OpenDatabase, request: Request): Promise<Response> {
  const key = request.headers.get('apikey');
  const isService = key === KEYS.secretKey;
  if (!isService && key !== KEYS.publishableKey)
    return Response.json({ message: 'Invalid API key' }, { status: 401 });
  const claims = readClaims(request.headers.get('authorization') ?? '', KEYS.jwtSecret);
  const ofKey: Caller = { role: isService ? 'service_role' : 'anon', claims: {} };
  const caller: Caller = claims ? { role: 'authenticated', claims } : ofKey;
  const url = new URL(request.url);
  if (request.headers.get('accept-profile') === 'private') {
    return Response.json({ code: 'PGRST106', message: 'The schema must be public' }, { status: 406 });
  }
  const response =
    database.serveAuth(request) ??
    (await changeOffers(database, request, caller)) ??
    database.serveCall(request, url, caller, 'public') ??
    database.serveCall(request, url, caller, 'secret');
  return (await response) ?? Response.json({ code: 'PGRST202', message: 'Not found' }, { status: 404 });
}

/** What no client of ours does to offers: by the rights of the caller, and without a row. */
async function changeOffers(
  { sql }: OpenDatabase,
  request: Request,
  { role, claims }: Caller,
): Promise<Response | undefined> {
  if (new URL(request.url).pathname !== '/rest/v1/offers') return undefined;
  const [column = ''] = request.method === 'PATCH' ? Object.keys(await request.clone().json()) : [];
  const statement = {
    HEAD: 'select id::text, null from public.offers limit 1',
    POST: `insert into public.offers (domain_name) select '' where false returning null, null`,
    DELETE: 'delete from public.offers where false returning null, null',
    ...(column !== 'status' && {
      PATCH: `update public.offers set ${column} = null where false returning null, null`,
    }),
  }[request.method];
  if (statement === undefined) return undefined;
  try {
    await sql.query('select embedded.run_as($1, $2, $3, null)', [role, JSON.stringify(claims), statement]);
    return new Response(null, { status: 204 });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return Response.json({ code, message }, { status: role === 'anon' ? 401 : 403 });
  }
}

/** The headers that the platform's gateway adds to the data API and to auth. */
function withCors(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', '*');
  headers.set(
    'access-control-allow-headers',
    '*, authorization, apikey, content-type, x-client-info, prefer, range',
  );
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS');
  headers.set('access-control-expose-headers', 'content-range');
  return new Response(response.status === 204 ? null : response.body, { status: response.status, headers });
}

/** GoTrue's admin API, with the secret key only. */
async function serveAccounts({ sql }: OpenDatabase, dataDir: string, request: Request): Promise<Response> {
  if (request.headers.get('apikey') !== KEYS.secretKey) {
    return Response.json({ code: 403, msg: 'User not allowed' }, { status: 403 });
  }
  const response = await manageUsers(sql, dataDir, request, new URL(request.url));
  return response ?? Response.json({ code: 404, msg: 'Not found' }, { status: 404 });
}

/** As the function receives it, with the visitor's ip in the platform's header. */
async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  headers.set('cf-connecting-ip', incoming.socket.remoteAddress ?? '127.0.0.1');
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    ...(hasBody ? { body: new Uint8Array(await buffer(incoming)) } : {}),
  });
}
