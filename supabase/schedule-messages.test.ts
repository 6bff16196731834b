/** The schedule of a hosted project, with stand-ins for Vault, pg_cron and pg_net, which PGlite does not have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBooted } from '../server/embedded/booted-database.fixture.ts';

const FILE = readFileSync(join(import.meta.dirname, 'schedule-messages.sql'), 'utf8');

const STAND_INS = `
  create schema vault;
  create table vault.secrets (id uuid default gen_random_uuid(), secret text, name text unique);
  create view vault.decrypted_secrets as select name, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(secret text, name text) returns uuid language sql
    as $$ insert into vault.secrets (secret, name) values (secret, name) returning id $$;
  create function vault.update_secret(id uuid, secret text) returns void language sql
    as $$ update vault.secrets s set secret = update_secret.secret where s.id = update_secret.id $$;
  create schema cron;
  create table cron.job (name text primary key, schedule text, command text);
  create table cron.job_run_details (end_time timestamptz);
  create function cron.schedule(name text, schedule text, command text) returns void language sql
    as $$ insert into cron.job values (name, schedule, command)
      on conflict (name) do update set schedule = excluded.schedule, command = excluded.command $$;
  create table removals (at timestamptz default now());
  drop function remove_expired();
  create function remove_expired() returns void language sql as $$ insert into removals default values $$;
  create schema net;
  create table net.requests (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
  create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer) returns void
    language sql as $$ insert into net.requests values (url, body, headers, timeout_milliseconds) $$;
`;

const filledIn = (url: string, key: string) =>
  FILE.replace('https://YOUR-PROJECT.supabase.co', url)
    .replace('sb_secret_YOUR-KEY', key)
    .replaceAll(/^create extension .*$/gm, '');

test('the schedule posts to deliver with the key from Vault, also after the key was changed', async () => {
  const { sql: database, close } = await openBooted();
  await database.exec(STAND_INS);
  await assert.rejects(database.exec(filledIn('https://a.supabase.co', 'sb_secret_YOUR-KEY')), /Fill in/);
  await database.exec(filledIn('https://a.supabase.co/', 'sb_secret_old'));
  await database.exec(filledIn('https://a.supabase.co', 'sb_secret_new'));

  const { rows } = await database.query<{ name: string; schedule: string; command: string }>(
    'select * from cron.job order by name',
  );
  assert.deepEqual(
    rows.map(({ name, schedule }) => [name, schedule]),
    [
      ['delete-old-runs', '0 3 * * *'],
      ['deliver-messages', '* * * * *'],
      ['remove-expired', '30 * * * *'],
    ],
  );
  for (const { command } of rows) {
    assert.doesNotMatch(command, /sb_secret/);
    await database.exec(command);
  }
  assert.equal((await database.query('select from removals')).rows.length, 1);
  const requests = await database.query('select * from net.requests');
  assert.deepEqual(requests.rows, [
    {
      url: 'https://a.supabase.co/functions/v1/deliver',
      body: {},
      headers: { 'content-type': 'application/json', apikey: 'sb_secret_new' },
      timeout_milliseconds: 90_000,
    },
  ]);
  await close();
});
