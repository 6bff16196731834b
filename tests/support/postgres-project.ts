/**
 * Plays a hosted project on a real PostgreSQL server with the hosted roles: the calls of functions with the secret key, as
 * service_role, and the part of GoTrue's admin API that the owner's commands use.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { OWNER, openCallsOn } from '../../supabase/tests/cast.ts';
import { type Engine, openPostgres } from '../../supabase/tests/engines.ts';

const SECRET_KEY = 'sb_secret_of_the_test';

export async function startPostgresProject() {
  const engine = await openPostgres();
  const passwords = new Map<string, string>();
  const serveCall = await openCallsOn(engine);
  const server = serve({ hostname: '127.0.0.1', port: 0, fetch: respond });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    secretKey: SECRET_KEY,
    engine,
    /** Whether a password opens an account. */
    signsIn: async (email: string, password: string) => {
      const users = await readUsers(engine);
      return passwords.get(users.find((user) => user.email === email.toLowerCase())?.id ?? '') === password;
    },
    stop: async () => {
      (server as import('node:http').Server).closeAllConnections();
      await new Promise((done) => server.close(done));
      await engine.close();
    },
  };

  async function respond(request: Request): Promise<Response> {
    if (request.headers.get('apikey') !== SECRET_KEY) {
      return Response.json({ message: 'Invalid API key' }, { status: 401 });
    }
    const url = new URL(request.url);
    const id = /^\/auth\/v1\/admin\/users\/(.+)$/.exec(url.pathname)?.[1];
    if (id !== undefined || url.pathname === '/auth/v1/admin/users') return await manageUsers(request, id);
    const called = serveCall(request, url, { role: 'service_role', claims: {} }, 'secret');
    return (
      (await called) ?? Response.json({ code: 'PGRST202', message: 'No such function.' }, { status: 404 })
    );
  }

  async function manageUsers(request: Request, id: string | undefined): Promise<Response> {
    const users = await readUsers(engine);
    if (request.method === 'GET' && id === undefined) {
      return Response.json({ users: new URL(request.url).searchParams.get('page') === '1' ? users : [] });
    }
    const found = users.find((user) => user.id === id);
    if (id !== undefined && !found) {
      return Response.json(
        { code: 404, error_code: 'user_not_found', msg: 'User not found' },
        { status: 404 },
      );
    }
    if (request.method === 'GET') return Response.json(found);
    const body = (await request.json()) as { id?: string; email: string; password: string };
    const user = found ?? { id: body.id ?? randomUUID(), email: body.email.toLowerCase() };
    if (!found) {
      await engine.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [user.id, user.email]);
    }
    passwords.set(user.id, body.password);
    await engine.as(OWNER, 'delete from auth.sessions where user_id = $1', [user.id]);
    return Response.json(user);
  }
}

async function readUsers(engine: Engine): Promise<{ id: string; email: string }[]> {
  return (await engine.as(OWNER, 'select id, email from auth.users')) as { id: string; email: string }[];
}
