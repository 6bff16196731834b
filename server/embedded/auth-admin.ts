/**
 * The calls of GoTrue's admin API that the owner's commands make: list, get, create, and a new password by id.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { compare, hash } from 'bcryptjs';
import * as z from 'zod/mini';
import { DEFAULT_ADMIN_EMAIL } from '../../config/settings.ts';
import { authError } from './auth-server.ts';
import { endSessions } from './sessions.ts';

/** Cost of a password's hash (some 70 ms), as GoTrue has it. */
const BCRYPT_COST = 10;

/** Names of the files with generated passwords, which the commands write (show-password.ts). */
const PASSWORD_FILE = /^admin-password(?:-\d+)?\.txt$/;

const PATH = /^\/auth\/v1\/admin\/users(?:\/([0-9a-f-]{36}))?$/;

const UserSchema = z.object({
  id: z.optional(z.uuid()),
  email: z.string().check(z.regex(/^[^\0\s]+@[^\0\s]+$/)),
  password: z.string().check(z.minLength(1), z.regex(/^[^\0]*$/)),
});
const ChangeSchema = z.pick(UserSchema, { password: true });

const COLUMNS = 'id, email, created_at, last_sign_in_at';

interface User {
  readonly id: string;
  readonly email: string;
}

/** Returns undefined when the request is no such call. */
export async function manageUsers(
  sql: PGlite,
  dataDir: string,
  request: Request,
  url: URL,
): Promise<Response | undefined> {
  const match = PATH.exec(url.pathname);
  if (!match) return undefined;
  const [, id] = match;
  switch (`${request.method} ${id === undefined ? 'all' : 'one'}`) {
    case 'GET all':
      return Response.json({ users: await listUsers(sql, url.searchParams) });
    case 'GET one':
      return userOr404(await sql.query<User>(`select ${COLUMNS} from auth.users where id = $1`, [id]));
    case 'POST all': {
      const user = UserSchema.safeParse(await request.json().catch(() => undefined));
      if (!user.success) return authError(400, 'validation_failed', 'An email and a password are needed.');
      const made = await createUser(sql, user.data);
      return made
        ? Response.json(made)
        : authError(422, 'email_exists', 'A user with this email or id is there already.');
    }
    case 'PUT one': {
      const change = ChangeSchema.safeParse(await request.json().catch(() => undefined));
      if (!change.success) return authError(400, 'validation_failed', 'A password is needed.');
      const files = await findPasswordFiles(dataDir, (password) => isPasswordOf(sql, id, password));
      const changed = await changePassword(sql, id, change.data.password);
      // Of the former password.
      for (const file of files) rmSync(file, { force: true });
      return userOr404(changed);
    }
    default:
      return undefined;
  }
}

/** Creates an account whose email counts as confirmed. Returns undefined where its email or id is in use. */
export async function createUser(
  sql: PGlite,
  { id = crypto.randomUUID(), email, password }: z.infer<typeof UserSchema>,
): Promise<User | undefined> {
  const { rows } = await sql.query<User>(
    `insert into auth.users (id, email, encrypted_password) select $1::uuid, $2::text, $3::text
     where not exists (select from auth.users where id = $1 or email = $2) returning ${COLUMNS}`,
    [id, email.toLowerCase(), await hash(password, BCRYPT_COST)],
  );
  return rows[0];
}

/** Whether a password opens an account. */
export async function isPasswordOf(sql: PGlite, id = '', password: string): Promise<boolean> {
  const { rows } = await sql.query<{ hash: string | null }>(
    'select encrypted_password as hash from auth.users where id = $1',
    [id],
  );
  return await compare(password, rows[0]?.hash ?? '');
}

/** Changes a password and ends the account's sessions, as GoTrue does. */
async function changePassword(sql: PGlite, id = '', password: string): Promise<{ rows: User[] }> {
  const encrypted = await hash(password, BCRYPT_COST);
  return await sql.transaction(async (tx) => {
    await endSessions(tx, [id]);
    return await tx.query<User>(
      `update auth.users set encrypted_password = $2 where id = $1 returning ${COLUMNS}`,
      [id, encrypted],
    );
  });
}

async function listUsers(sql: PGlite, query: URLSearchParams): Promise<User[]> {
  const size = Number(query.get('per_page')) || 50;
  const { rows } = await sql.query<User>(
    `select ${COLUMNS} from auth.users order by created_at, id limit $1 offset $2`,
    [size, ((Number(query.get('page')) || 1) - 1) * size],
  );
  return rows;
}

function userOr404({ rows: [user] }: { rows: User[] }): Response {
  return user ? Response.json(user) : authError(404, 'user_not_found', 'User not found.');
}

/**
 * Removes the file with the password of the account that the first start made, once another administrator has signed in: the
 * owner has an account, and does not need that one.
 * @param signedIn id of the user who signed in
 */
export async function removeFirstPassword(sql: PGlite, dataDir: string, signedIn: string): Promise<void> {
  if (!readdirSync(dataDir).some((name) => PASSWORD_FILE.test(name))) return;
  const { rows } = await sql.query<{ id: string }>(
    `select u.id from auth.users u join private.admins a on a.user_id = u.id
     where u.email = $1 and u.id <> $2 and exists (select from private.admins o where o.user_id = $2)`,
    [DEFAULT_ADMIN_EMAIL, signedIn],
  );
  const [first] = rows;
  if (!first) return;
  const opens = (password: string) => isPasswordOf(sql, first.id, password);
  for (const file of await findPasswordFiles(dataDir, opens)) rmSync(file, { force: true });
}

/** Finds the files whose password opens an account. Others may be another account's, or a hosted project's. */
async function findPasswordFiles(
  dataDir: string,
  opens: (password: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of readdirSync(dataDir).filter((one) => PASSWORD_FILE.test(one))) {
    const file = join(dataDir, name);
    if (await opens(readFileSync(file, 'utf8').trim())) found.push(file);
  }
  return found;
}
