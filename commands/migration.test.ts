import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOfProject } from '../tests/support/product.ts';
import { runTool } from '../tests/support/terminal.ts';

test('the next migration has a number above the last one, and the functions that differ; a fold replaces all', () => {
  const { folder, remove } = copyOfProject();
  const run = (...args: string[]) => runTool('commands/migration.ts', args, {}, folder);
  const file = (path: string) => join(folder, 'supabase', path);
  try {
    writeFileSync(file('migrations/29991231000009_last.sql'), 'select 1');
    const listings = readFileSync(file('schemas/listings.sql'), 'utf8');
    writeFileSync(file('schemas/listings.sql'), listings.replace("'24 hours'", "'1 day'"));
    assert.match(
      run('--fold').text,
      /^supabase\/schemas has what the migrations do not make\. Run npm run migration -- /,
    );
    assert.deepEqual(run('reply_within'), {
      code: 0,
      text: 'Wrote supabase/migrations/29991231000010_reply_within.sql. Begin it with a paragraph that says what changes, and why.',
    });
    const written = readFileSync(file('migrations/29991231000010_reply_within.sql'), 'utf8');
    assert.match(
      written,
      /^create or replace function private\.reply_within\(\) .*interval '1 day'\n {2}\);\n\$\$;\n$/s,
    );
    const versions = readdirSync(file('migrations')).map((name) => name.slice(0, 14));
    assert.deepEqual(run('--fold'), {
      code: 0,
      text: 'Wrote supabase/migrations/29991232000001_baseline.sql, which replaces all others. Name the last commit that has them in server/embedded/fold.ts.',
    });
    assert.deepEqual(readdirSync(file('migrations')), ['29991232000001_baseline.sql']);
    const baseline = readFileSync(file('migrations/29991232000001_baseline.sql'), 'utf8');
    assert.match(baseline, new RegExp(`^-- Generated .*\n-- Replaces ${versions.join(', ')}\\.\n`));
    // Makes what the schemas make, in their order.
    const { code, text } = run('again');
    assert.equal(code, 1);
    assert.match(text, /^The migrations make what supabase\/schemas has\. Change a file there first/);
    for (const wrong of [['Name'], ['--fold', 'name']])
      assert.match(run(...wrong).text, /^Please name what changes/);
    writeFileSync(
      file('schemas/listings.sql'),
      listings.replace('create table private.listings', 'create tabel'),
    );
    assert.equal(
      run('again').text,
      'supabase/schemas/listings.sql failed in line 7: syntax error at or near "tabel".',
    );
    writeFileSync(file('schemas/own.sql'), '');
    assert.match(run('again').text, /^schema_paths in .* differ: \.\/schemas\/own\.sql\. /);
  } finally {
    remove();
  }
});
