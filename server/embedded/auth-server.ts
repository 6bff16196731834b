/**
 * The four requests of GoTrue that the product makes: sign-in with a password, refresh, own account, and the end of a session.
 * A session alone grants nothing: those that count are in `private.admin_sessions`. project-routes.ts checks the keys.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from 'bcryptjs';
import * as z from 'zod/mini';
import { readClaims, signClaims } from '../backend-requests/access-token.ts';
import type { Database } from './database-calls.ts';

/** Serves a request of auth. Returns undefined when it is none. @throws where the database fails: no status of the request's */
export type ServeAuth = (request: Request) => Promise<Response> | undefined;

/** What sign-in and the migrations rest on, in a database of any age. To be run in a transaction. */
export const AUTH_SCHEMA = readFileSync(join(import.meta.dirname, 'auth-schema.sql'), 'utf8');

const ACCESS_TOKEN_SECONDS = 600;

/** Hash of a random password with the cost of all others, compared for the same time where no account or no password is. */
const NO_HASH = '$2b$10$sNkZUQXLVp5XDOmsjn/jd.SU5GbIgreLiCrPNtaotaUTz1ocyMNdi';

/** Rejects NUL, which PostgreSQL's texts cannot hold. */
const TextSchema = z.string().check(z.regex(/^[^\0]*$/));
const CredentialsSchema = z.object({ email: TextSchema, password: TextSchema });
/** No other text is a token: it costs no statement. */
const RefreshSchema = z.object({ refresh_token: z.uuid() });
const OwnClaimsSchema = z.object({ sub: z.uuid(), session_id: z.uuid() });

interface User {
  readonly id: string;
  readonly email: string;
  readonly created_at: Date;
}

interface Session extends User {
  readonly session_id: string;
  readonly refresh_token: string;
}

/**
 * @param database with AUTH_SCHEMA
 * @param isPassword whether a hash is that of a password
 */
export async function openAuthServer(
  database: Database,
  jwtSecret: string,
  isPassword: (password: string, hash: string) => Promise<boolean> = compare,
): Promise<ServeAuth> {
  for (const statement of SESSION_FUNCTIONS) await database.query(statement);
  const routes = new Map([
    ['POST /auth/v1/token?grant_type=password', signIn],
    ['POST /auth/v1/token?grant_type=refresh_token', refresh],
    ['GET /auth/v1/user', readUser],
    ['POST /auth/v1/logout?scope=local', signOut],
  ]);
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return routes.get(`${request.method} ${pathname}${search}`)?.(request);
  };

  async function signIn(request: Request): Promise<Response> {
    const credentials = CredentialsSchema.safeParse(await readBody(request));
    if (!credentials.success) {
      return authError(400, 'validation_failed', 'The body must be a JSON object with string values.');
    }
    const { email, password } = credentials.data;
    const account = await readRow<{ id: string | null; hash: string | null }>(
      'select asked, u.id, u.encrypted_password as hash from (select $1::text as asked) as a left join auth.users u on u.email = asked',
      // As PostgreSQL returns it: half of a surrogate pair has no bytes in UTF-8.
      [email.toLowerCase().toWellFormed()],
    );
    const isRight = await isPassword(password, account.hash || NO_HASH);
    const session = isRight && account.hash ? await openSession(account.id, account.hash) : undefined;
    return session?.id
      ? respondWith(session)
      : authError(400, 'invalid_credentials', 'Email or password is wrong.');
  }

  /** Opens none where the password was changed while it was compared. */
  function openSession(id: string | null, hash: string): Promise<Session> {
    return readRow<Session>(
      `select asked, opened.*, u.id, u.email, u.created_at
       from (select $1::text as asked) as a cross join embedded.open_session(asked::uuid, $2, $3, $4) opened
       left join auth.users u on u.id = opened.user_id`,
      [id, hash, randomUUID(), randomUUID()],
    );
  }

  async function refresh(request: Request): Promise<Response> {
    const body = RefreshSchema.safeParse(await readBody(request));
    if (!body.success) return authError(400, 'refresh_token_not_found', 'There is no such refresh token.');
    const session = await readRow<Session & { problem: string | null }>(
      `select asked, r.*, u.id, u.email, u.created_at
       from (select $1::text as asked) as a cross join embedded.refresh_session(asked, $2) r
       left join auth.sessions s on s.id = r.session_id left join auth.users u on u.id = s.user_id`,
      [body.data.refresh_token, randomUUID()],
    );
    return session.problem === null
      ? respondWith(session)
      : authError(400, session.problem, 'The refresh token is not valid: its session has ended.');
  }

  async function readUser(request: Request): Promise<Response> {
    const own = ownClaimsOf(request);
    if (!own) return NO_TOKEN();
    const user = await readRow<User>(
      `select asked, u.* from (select $1::text as asked) as a left join (
         select s.id::text as session_id, u.id, u.email, u.created_at
         from auth.sessions s join auth.users u on u.id = s.user_id where u.id = $2
       ) u on u.session_id = asked`,
      [own.session_id, own.sub],
    );
    return user.id ? Response.json(toJson(user), { headers: NO_STORE }) : NO_SESSION();
  }

  async function signOut(request: Request): Promise<Response> {
    const own = ownClaimsOf(request);
    if (!own) return NO_TOKEN();
    const { ended } = await readRow<{ ended: string | null }>(
      `with ended as (delete from auth.sessions where id = $1::uuid and user_id = $2 returning id)
       select asked, id as ended from (select $1::text as asked) as a left join ended on true`,
      [own.session_id, own.sub],
    );
    return ended === null ? NO_SESSION() : new Response(null, { status: 204, headers: NO_STORE });
  }

  /**
   * The only row of a statement, which returns its first parameter as `asked`: a database out of step (self-check.ts) returns
   * no row or another one, which must not look like a session that has ended.
   */
  async function readRow<Row>(statement: string, parameters: [string | null, ...unknown[]]): Promise<Row> {
    const { rows } = await database.query<Row & { asked: string | null }>(statement, parameters);
    const [row] = rows;
    if (row?.asked !== parameters[0]) throw new Error('a statement returned a wrong result');
    return row;
  }

  function ownClaimsOf(request: Request): z.infer<typeof OwnClaimsSchema> | undefined {
    const claims = readClaims(request.headers.get('authorization') ?? '', jwtSecret);
    return OwnClaimsSchema.safeParse(claims).data;
  }

  function respondWith(session: Session): Response {
    const issuedAt = Math.floor(Date.now() / 1_000);
    const claims = { sub: session.id, aud: ROLE, role: ROLE, session_id: session.session_id, iat: issuedAt };
    const body = {
      access_token: signClaims({ ...claims, exp: issuedAt + ACCESS_TOKEN_SECONDS }, jwtSecret),
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: session.refresh_token,
      user: toJson(session),
    };
    return Response.json(body, { headers: NO_STORE });
  }
}

/** Audience and role of every user. */
const ROLE = 'authenticated' as const;
const NO_STORE = { 'cache-control': 'no-store' };

/** An error as auth-js reads it (src/lib/fetch.ts, `handleError`): with this header `code` is a text. */
export function authError(status: number, code: string, message: string): Response {
  return Response.json(
    { code, message },
    { status, headers: { ...NO_STORE, 'x-supabase-api-version': '2024-01-01' } },
  );
}

const NO_TOKEN = () => authError(403, 'bad_jwt', 'The access token is not valid.');
const NO_SESSION = () => authError(403, 'session_not_found', 'The session of this access token has ended.');

/** Returns undefined for a body that is no JSON. */
async function readBody(request: Request): Promise<unknown> {
  return await request.json().catch(() => undefined);
}

function toJson({ id, email, created_at }: User): object {
  const provider = { provider: 'email', providers: ['email'] };
  return { id, aud: ROLE, role: ROLE, email, created_at, app_metadata: provider, user_metadata: {} };
}

/**
 * Each changes a session in one statement, which is its transaction. For the owner of the database alone.
 *
 * `open_session` opens none where the password was changed while it was compared: the hash is another one then.
 *
 * `refresh_session` gives a session its next token, or the present one again, as GoTrue does (internal/tokens/service.go,
 * `RefreshTokenGrant`). A token that was used before gets the present one in two cases, in which no client has it: the present one
 * came from it and is unused, however late (a client that did not receive or store the response), and within 10 s of its first
 * use (tabs at once). Any other used token ends the session, since two clients have it.
 */
const SESSION_FUNCTIONS = [
  'create schema if not exists embedded',
  'drop function if exists embedded.open_session',
  `create function embedded.open_session(
    account uuid, hash text, new_session uuid, new_token text,
    out session_id uuid, out user_id uuid, out refresh_token text
  ) language plpgsql as $$
  begin
    update auth.users u set last_sign_in_at = now()
    where u.id = account and u.encrypted_password = hash returning u.id into user_id;
    if not found then
      return;
    end if;
    insert into auth.sessions (id, user_id) values (new_session, account);
    insert into auth.refresh_tokens (token, session_id) values (new_token, new_session);
    session_id := new_session;
    refresh_token := new_token;
  end;
  $$`,
  'revoke all on function embedded.open_session(uuid, text, uuid, text) from public',
  'drop function if exists embedded.refresh_session',
  `create function embedded.refresh_session(
    given text, new_token text, out session_id uuid, out refresh_token text, out problem text
  ) language plpgsql as $$
  declare
    used auth.refresh_tokens;
    present auth.refresh_tokens;
  begin
    -- Of two at once, the second one finds what the first one left.
    perform from auth.sessions s
    where s.id = (select t.session_id from auth.refresh_tokens t where t.token = given) for update;
    select t.* into used from auth.refresh_tokens t where t.token = given;
    if not found then
      problem := 'refresh_token_not_found';
      return;
    end if;
    session_id := used.session_id;
    if not used.revoked then
      update auth.refresh_tokens t set revoked = true, updated_at = now() where t.token = given;
      insert into auth.refresh_tokens (session_id, token, parent) values (used.session_id, new_token, given);
      refresh_token := new_token;
      return;
    end if;
    select t.* into present from auth.refresh_tokens t
    where t.session_id = used.session_id and not t.revoked order by t.created_at desc limit 1;
    if present.parent = given or now() <= used.updated_at + interval '10 seconds' then
      refresh_token := present.token;
    end if;
    if refresh_token is null then
      delete from auth.sessions s where s.id = used.session_id;
      problem := 'refresh_token_already_used';
    end if;
  end;
  $$`,
  'revoke all on function embedded.refresh_session(text, text) from public',
];
