/**
 * `npm run migration -- NAME`: writes the next migration, from the difference between supabase/schemas and supabase/migrations.
 * `npm run migration -- --fold`: replaces all migrations by one baseline, of the files of supabase/schemas.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { oneTooMany, readOptions } from '../process/read-options.ts';
import { UserError } from '../process/user-error.ts';
import { AUTH_SCHEMA } from '../server/embedded/auth-server.ts';
import { EXTENSIONS } from '../server/embedded/extensions.ts';
import { applyAll, MIGRATIONS, type Migration, migrations } from '../server/embedded/migrate.ts';
import { BRIEF_START_PARAMETERS } from '../server/embedded/open-database.ts';
import {
  DESCRIBE_SCHEMA,
  readSchemas,
  type SchemaObject,
  writeBaseline,
  writeMigration,
} from '../server/embedded/schema-files.ts';
import { compileOnce } from '../server/embedded/workarounds/compile-once.ts';

const FOLDER = 'supabase/migrations';
const USAGE =
  'Please name what changes, in lower case with underscores, like this: npm run migration -- customer_phone. ' +
  'Or fold all migrations: npm run migration -- --fold';

export const run = commandOf(async (args, io) => {
  const { log } = consoleOf(io);
  const { values, positionals } = readOptions(
    { args, options: { fold: { type: 'boolean', default: false } }, allowPositionals: true },
    USAGE,
  );
  const [name = '', further] = positionals;
  if (values.fold ? name !== '' : !/^[a-z][a-z0-9_]*$/.test(name)) throw new UserError(USAGE);
  if (further !== undefined) throw oneTooMany(further, USAGE);
  const [chain, schemas] = [migrations(MIGRATIONS), readSchemas()];
  const { made, declared } = await describe(chain, schemas);
  const { sql, byHand } = writeMigration(made, declared, schemas);
  if (values.fold) {
    if (sql !== '')
      throw new UserError(
        'supabase/schemas has what the migrations do not make. Run npm run migration -- NAME first.',
      );
    const file = join(FOLDER, `${nextVersion(chain, true)}_baseline.sql`);
    writeFileSync(file, writeBaseline(chain, schemas), { flag: 'wx' });
    for (const { version, name } of chain) rmSync(join(FOLDER, `${version}_${name}.sql`));
    log(
      `Wrote ${file}, which replaces all others. Name the last commit that has them in server/embedded/fold.ts.`,
    );
    return;
  }
  if (sql === '') {
    throw new UserError(
      'The migrations make what supabase/schemas has. Change a file there first, then run this again.',
    );
  }
  const file = join(FOLDER, `${nextVersion(chain)}_${name}.sql`);
  writeFileSync(file, sql, { flag: 'wx' });
  log(`Wrote ${file}. Begin it with a paragraph that says what changes, and why.`);
  if (byHand.length > 0) {
    log(`It fails until you have written these changes: ${byHand.join(', ')}.`);
  }
});

/**
 * Above the last one, whatever the clock says: a lower one would never be applied where that one was.
 * @param nextDay of another day than the last one, which no branch gave to a migration
 */
function nextVersion(chain: readonly Migration[], nextDay = false): string {
  const last = chain.at(-1)?.version ?? '0';
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const next = nextDay ? BigInt(`${BigInt(last.slice(0, 8)) + 1n}000001`) : BigInt(last) + 1n;
  return String([BigInt(`${today}000001`), next].reduce((one, other) => (one > other ? one : other)));
}

/** What the embedded backend has after the migrations, and what after the schema files. */
async function describe(chain: readonly Migration[], schemas: readonly Migration[]) {
  compileOnce();
  const database = await PGlite.create({
    extensions: EXTENSIONS,
    startParams: BRIEF_START_PARAMETERS,
  });
  try {
    await database.exec(AUTH_SCHEMA);
    const declared = await describeAfter(database, schemas).catch((error) => {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(error.message.replace(/^The migration \d+_/, 'supabase/schemas/'));
    });
    return { made: await describeAfter(database, chain), declared };
  } finally {
    await database.close();
  }
}

/** They are undone. */
function describeAfter(database: PGlite, chain: readonly Migration[]): Promise<SchemaObject[]> {
  return database.transaction(async (tx) => {
    await applyAll(tx, chain);
    await tx.exec("set local search_path = ''");
    const { rows } = await tx.query<SchemaObject>(DESCRIBE_SCHEMA);
    await tx.rollback();
    return rows;
  });
}

if (import.meta.main) await runAsProcess(run);
