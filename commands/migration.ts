/** `npm run migration -- NAME`: writes the next migration, from the difference between supabase/schemas and supabase/migrations. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, consoleOf, runAsProcess } from '../config/command.ts';
import { oneTooMany, readOptions } from '../config/read-options.ts';
import { UserError } from '../config/user-error.ts';
import { MIGRATIONS, type Migration, migrations } from '../server/embedded/migrate.ts';
import { openFiles } from '../server/embedded/open-database.ts';
import { readSchemas, type SchemaObject, writeMigration } from '../server/embedded/schema-files.ts';
import { DESCRIBE_SCHEMA } from '../server/embedded/take-over.ts';

const USAGE =
  'Please name what changes, in lower case with underscores, like this: npm run migration -- customer_phone';

export const run = commandOf(async (args, io) => {
  const { log } = consoleOf(io);
  const { positionals } = readOptions({ args, allowPositionals: true }, USAGE);
  const [name = '', further] = positionals;
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new UserError(USAGE);
  if (further !== undefined) throw oneTooMany(further, USAGE);
  const [chain, schemas] = [migrations(MIGRATIONS), readSchemas()];
  const declared = await describe(schemas).catch((error) => {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message.replace(/^The migration \d+_/, 'supabase/schemas/'));
  });
  const { sql, byHand } = writeMigration(await describe(chain), declared, schemas);
  if (sql === '') {
    throw new UserError(
      'The migrations make what supabase/schemas has. Change a file there first, then run this again.',
    );
  }
  const file = join('supabase/migrations', `${nextVersion(chain)}_${name}.sql`);
  writeFileSync(file, sql, { flag: 'wx' });
  log(`Wrote ${file}. Begin it with a paragraph that says what changes, and why.`);
  if (byHand.length > 0) {
    log(`It fails until you have written these changes: ${byHand.join(', ')}.`);
  }
});

/** Above the last one, whatever the clock says: a lower one would never be applied where that one was. */
function nextVersion(chain: readonly Migration[]): string {
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const next = BigInt(chain.at(-1)?.version ?? 0) + 1n;
  return String([BigInt(`${today}000001`), next].reduce((one, other) => (one > other ? one : other)));
}

/** What the embedded backend has after these migrations. */
async function describe(chain: readonly Migration[]): Promise<SchemaObject[]> {
  const [publishableKey = '', secretKey = '', jwtSecret = ''] = Array.from({ length: 3 }, () =>
    randomBytes(32).toString('hex'),
  );
  const database = await openFiles(undefined, { publishableKey, secretKey, jwtSecret }, undefined, chain);
  try {
    await database.sql.exec("set search_path = ''");
    return (await database.sql.query<SchemaObject>(DESCRIBE_SCHEMA)).rows;
  } finally {
    await database.close();
  }
}

if (import.meta.main) await runAsProcess(run);
