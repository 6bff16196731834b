import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { bareDatabase } from '../tests/support/booted-data-folder.ts';
import { copyOfProject } from '../tests/support/product.ts';
import { runCommand } from '../tests/support/run-command.ts';

test('the next migration has a number above the last one, and the functions that differ; a fold replaces all', async (context) => {
  const { folder, remove } = copyOfProject();
  // The files that PGlite makes anew for each database are copied.
  const bare = bareDatabase();
  const create = PGlite.create.bind(PGlite);
  let databases = 0;
  context.mock.method(PGlite, 'create', (options: object) => {
    databases += 1;
    const dataDir = join(folder, `database-${databases}`);
    cpSync(bare, dataDir, { recursive: true });
    return create({ ...options, dataDir });
  });
  const program = await import(pathToFileURL(join(folder, 'commands/migration.ts')).href);
  const run = (...args: string[]) => runCommand(program.run, args, { cwd: folder });
  const before = process.cwd();
  process.chdir(folder);
  const file = (path: string) => join(folder, 'supabase', path);
  try {
    writeFileSync(file('migrations/29991231000009_last.sql'), 'select 1');
    const listings = readFileSync(file('schemas/listings.sql'), 'utf8');
    writeFileSync(file('schemas/listings.sql'), listings.replace("'24 hours'", "'1 day'"));
    assert.match(
      (await run('--fold')).text,
      /^supabase\/schemas has what the migrations do not make\. Run npm run migration -- /,
    );
    assert.deepEqual(await run('reply_within'), {
      code: 0,
      text: 'Wrote supabase/migrations/29991231000010_reply_within.sql. Begin it with a paragraph that says what changes, and why.',
    });
    const written = readFileSync(file('migrations/29991231000010_reply_within.sql'), 'utf8');
    assert.match(
      written,
      /^create or replace function private\.reply_within\(\) .*interval '1 day'\n {2}\);\n\$\$;\n$/s,
    );
    const versions = readdirSync(file('migrations')).map((name) => name.slice(0, 14));
    assert.deepEqual(await run('--fold'), {
      code: 0,
      text: 'Wrote supabase/migrations/29991232000001_baseline.sql, which replaces all others. Name the last commit that has them in server/embedded/fold.ts.',
    });
    assert.deepEqual(readdirSync(file('migrations')), ['29991232000001_baseline.sql']);
    const baseline = readFileSync(file('migrations/29991232000001_baseline.sql'), 'utf8');
    assert.match(baseline, new RegExp(`^-- Generated .*\n-- Replaces ${versions.join(', ')}\\.\n`));
    // Makes what the schemas make, in their order.
    const { code, text } = await run('again');
    assert.equal(code, 1);
    assert.match(text, /^The migrations make what supabase\/schemas has\. Change a file there first/);
    for (const wrong of [['Name'], ['--fold', 'name']])
      assert.match((await run(...wrong)).text, /^Please name what changes/);
    writeFileSync(
      file('schemas/listings.sql'),
      listings.replace('create table private.listings', 'create tabel'),
    );
    assert.equal(
      (await run('again')).text,
      'supabase/schemas/listings.sql failed in line 7: syntax error at or near "tabel".',
    );
    writeFileSync(file('schemas/own.sql'), '');
    assert.match((await run('again')).text, /^schema_paths in .* differ: \.\/schemas\/own\.sql\. /);
    assert.equal(databases, 5);
  } finally {
    process.chdir(before);
    remove();
  }
});
