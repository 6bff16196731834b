/**
 * Plays a hosted project on an origin of its own: PostgreSQL with the hosted roles, PostgREST, our sign-in with the part of GoTrue's
 * admin API that the owner's commands use, the real functions, and CORS as the platform sends it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { EMBEDDED_PUBLISHABLE_KEY } from '../../config/settings.ts';
import { manageUsers } from '../../server/embedded/auth-admin.ts';
import { openAuthServer, type ServeAuth } from '../../server/embedded/auth-server.ts';
import { KEYS as OWN_KEYS } from '../../server/embedded/booted-database.fixture.ts';
import { createFunctions } from '../../server/embedded/functions.ts';
import { createContext } from '../../supabase/functions/_shared/context.ts';
import { readSettings } from '../../supabase/functions/_shared/settings.ts';
import { newPostgresDatabase } from '../../supabase/tests/postgres.ts';
import { startPostgrest } from './postgrest.ts';

/** With the public key that the tests send. */
const KEYS = { ...OWN_KEYS, publishableKey: EMBEDDED_PUBLISHABLE_KEY };

export interface HostedStandIn {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly database: { readonly sql: PGlite };
  /** Serves a request without its origin. */
  readonly fetch: typeof fetch;
  /** Called before each response. */
  onRequest(): void;
  stop(): Promise<void>;
}

/** Wherever NO_POSTGREST is false. @param env settings of the functions, besides the keys */
export async function startHostedStandIn(env: Record<string, string> = {}): Promise<HostedStandIn> {
  const connection = await newPostgresDatabase();
  const pool = new pg.Pool(connection);
  const sql = asPglite(pool);
  const serveAuth = await openSignIn(sql);
  const postgrest = await startPostgrest(connection, KEYS);
  const server = createServer(async (incoming, outgoing) => {
    const response = await respond(await requestOf(incoming)).catch((error: unknown) =>
      Response.json({ message: String(error) }, { status: 500 }),
    );
    const body = Buffer.from(await response.arrayBuffer());
    // Read, and so no longer what PostgREST's headers say of it.
    response.headers.delete('transfer-encoding');
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(body);
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
    database: { sql },
    fetch: (input, init) => respond(new Request(input, init)),
    onRequest: () => {},
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await postgrest.stop();
      await pool.end();
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
    return withCors(
      pathname.startsWith('/auth/v1/') ? await serveAuth(request) : await postgrest.fetch(request),
    );
  }
}

/** Serves `/auth/v1` on a database with the migrations. */
async function openSignIn(sql: PGlite): Promise<(request: Request) => Promise<Response>> {
  const serve: ServeAuth = await openAuthServer(sql, KEYS.jwtSecret);
  return async (request) => {
    const url = new URL(request.url);
    const key = request.headers.get('apikey');
    if (key !== KEYS.publishableKey && key !== KEYS.secretKey) {
      return Response.json({ message: 'Invalid API key' }, { status: 401 });
    }
    if (url.pathname === '/auth/v1/settings') {
      return Response.json({ disable_signup: true, external: { email: true, anonymous_users: false } });
    }
    if (url.pathname.startsWith('/auth/v1/admin/') && key !== KEYS.secretKey) {
      return Response.json({ code: 403, msg: 'User not allowed' }, { status: 403 });
    }
    const response = serve(request) ?? manageUsers(sql, NO_FILES, request, url);
    return (await response) ?? Response.json({ code: 404, msg: 'Not found' }, { status: 404 });
  };
}

/** The data folder of a project: it has none. */
const NO_FILES = mkdtempSync(join(tmpdir(), 'stand-in-'));
process.once('exit', () => rmSync(NO_FILES, { recursive: true, force: true }));

/** PostgreSQL, with what sign-in and tests use of PGlite. */
function asPglite(pool: pg.Pool): PGlite {
  const of = (client: pg.Pool | pg.PoolClient) => ({
    query: (statement: string, parameters?: unknown[]) => client.query(statement, parameters),
    exec: (statements: string) => client.query(statements),
  });
  return {
    ...of(pool),
    transaction: async (work: (tx: object) => Promise<unknown>) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work(of(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  } as unknown as PGlite;
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
