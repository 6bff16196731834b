/** Applies the same migrations that a hosted project gets, in the order of their names, each once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { VERSION } from '../../config/version.ts';
import { UserError } from '../../process/user-error.ts';
import { AUTH_SCHEMA } from './auth-server.ts';
import { foldStatement } from './fold.ts';

/**
 * Makes what a hosted project has before the first migration (auth-schema.sql), then all pending migrations with their history
 * rows (the Supabase CLI's table). Each is one transaction: after a crash either all of it holds or none.
 * @param chain the migrations
 * @returns whether there was any
 */
export async function migrate(
  database: PGlite,
  chain: readonly Migration[] = migrations(MIGRATIONS),
): Promise<boolean> {
  await assertNotNewer(database, 'The database', GO_BACK);
  await fold(
    database,
    'The database',
    'check it out, install and start it: docs/hosting.md#update-and-back.',
    chain,
  );
  await database.transaction((tx) => tx.exec(AUTH_SCHEMA));
  const applied = await appliedVersions(database);
  const pending = chain.filter((migration) => !applied.has(migration.version));
  if (pending.length === 0) return false;
  await database.transaction((tx) => applyAll(tx, pending));
  return true;
}

/** @throws UserError naming the file and the line that failed */
export async function applyAll(tx: Transaction, chain: readonly Migration[]): Promise<void> {
  for (const { version, name, sql } of chain) {
    try {
      await tx.exec(sql);
    } catch (error) {
      const { message, position } = error as Error & { position?: string };
      const place = position ? ` in line ${sql.slice(0, Number(position)).split('\n').length}` : '';
      throw new UserError(`The migration ${version}_${name}.sql failed${place}: ${message}.`);
    }
    await tx.query(
      'insert into supabase_migrations.schema_migrations (version, name, created_by) values ($1, $2, $3)',
      [version, name, VERSION],
    );
  }
}

/**
 * Puts the baseline in the place of the migrations that it replaces.
 * @param what the database, for the message
 * @param way how a version is used with it
 * @throws UserError if it is older; nothing is changed then
 */
export async function fold(
  database: PGlite,
  what: string,
  way: string,
  chain: readonly Migration[] = migrations(MIGRATIONS),
): Promise<void> {
  await database.exec(foldStatement(chain)).catch((error) => {
    if (error.code !== RAISED) throw error;
    throw new UserError(`${error.message.replace('The database', () => what)} To use one, ${way}`);
  });
}

const GO_BACK =
  ' To go back instead, move the data folder away and run npm run restore -- FILE with the backup that was made before the ' +
  'update: docs/hosting.md#update-and-back.';

/** Of the product. */
export const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
/** PostgreSQL's code for `raise exception`. */
const RAISED = 'P0001';

/**
 * @param what the database, for the message
 * @param goBack what to do instead of an update
 * @throws UserError if it has migrations that came after those of this version, whose tables this version does not know
 */
export async function assertNotNewer(database: PGlite, what: string, goBack = ''): Promise<void> {
  const last = migrations(MIGRATIONS).at(-1)?.version ?? '';
  const newer = [...(await appliedVersions(database))].sort().find((version) => version > last);
  if (newer === undefined) return;
  const { rows } = await database.query<{ by: string | null }>(
    'select created_by as by from supabase_migrations.schema_migrations order by version desc limit 1',
  );
  const by = rows[0]?.by;
  const writer = by ? `version ${by}` : 'a newer version';
  throw new UserError(
    `${what} was written by ${writer} of this product (migration ${newer}), and this is version ${VERSION}. ` +
      `Update the product first.${goBack}`,
  );
}

export interface Migration {
  /** Fourteen digits. */
  readonly version: string;
  readonly name: string;
  readonly sql: string;
}

/** The migrations of a folder, oldest first. */
export function migrations(folder: string): Migration[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? [];
      return version && name ? [{ version, name, sql: readFileSync(join(folder, file), 'utf8') }] : [];
    });
}

/** None where nothing was made yet. */
async function appliedVersions(database: PGlite): Promise<Set<string>> {
  const history = await database.query("select from pg_tables where schemaname = 'supabase_migrations'");
  if (history.rows.length === 0) return new Set();
  const { rows } = await database.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  );
  return new Set(rows.map((row) => row.version));
}
