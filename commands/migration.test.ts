import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOfProject } from '../tests/support/product.ts';
import { runTool } from '../tests/support/terminal.ts';

test('the next migration has a number above the last one, and the functions that differ', () => {
  const { folder, remove } = copyOfProject();
  const run = (name: string) => runTool('commands/migration.ts', [name], {}, folder);
  const file = (path: string) => join(folder, 'supabase', path);
  try {
    writeFileSync(file('migrations/29991231000009_last.sql'), 'select 1');
    const listings = readFileSync(file('schemas/listings.sql'), 'utf8');
    writeFileSync(file('schemas/listings.sql'), listings.replace("'24 hours'", "'1 day'"));
    assert.deepEqual(run('reply_within'), {
      code: 0,
      text: 'Wrote supabase/migrations/29991231000010_reply_within.sql. Begin it with a paragraph that says what changes, and why.',
    });
    const written = readFileSync(file('migrations/29991231000010_reply_within.sql'), 'utf8');
    assert.match(
      written,
      /^create or replace function private\.reply_within\(\) .*interval '1 day'\n {2}\);\n\$\$;\n$/s,
    );
    const { code, text } = run('again');
    assert.equal(code, 1);
    assert.match(text, /^The migrations make what supabase\/schemas has\. Change a file there first/);
    assert.match(run('Name').text, /^Please name what changes/);
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
