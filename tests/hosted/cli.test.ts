/** `npm run test:hosted`: the real Supabase CLI with a loopback Management API, and with PostgreSQL as hosted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import {
  type CliStep,
  cliSteps,
  removeSecretsStep,
  scheduleStep,
} from '../../commands/hosted/deploy-steps.ts';
import { EXPECTED_ACCESS } from '../../commands/hosted/outside-check/expected-access.ts';
import { SECRET_FILE, withSecretFile } from '../../commands/hosted/secret-file.ts';
import { installCli, PROGRAM, runCli } from '../../commands/hosted/supabase-cli.ts';
import { NO_POSTGRES, startPostgres } from '../../supabase/tests/postgres.ts';
import { freePort } from '../support/free-port.ts';
import { HOSTED_DATABASE } from './hosted-database.ts';
import { filesOf, type ManagementApi, metadataOf, REF, startManagementApi } from './management-api.ts';

const VERSIONS = 'select version from supabase_migrations.schema_migrations order by version';
/** Every row of the tables, as one text. */
const ALL_ROWS = `select table_schema, table_name, query_to_xml(format('select * from %I.%I as t order by t::text',
    table_schema, table_name), false, false, '')::text as rows
  from information_schema.tables where table_schema in ('public', 'private', 'auth') and table_type = 'BASE TABLE' order by 1, 2`;
const ROWS = `
  insert into auth.users (id, email) values (gen_random_uuid(), 'owner@example.com');
  insert into auth.sessions (id, user_id) select id, id from auth.users;
  insert into private.admins (user_id) select id from auth.users;
  select public.set_factor(id, 'sealed', 'key', 100, '{one}') from auth.users;
  insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
  select 'lap.app', '$' || n, 'Ada', 'ada@example.com' from generate_series(1, 3) as n;
  insert into private.offer_messages select id, 'Two lines' from public.offers;
  insert into private.messages (kind, offer_id, target) select 'offer', id, 'mailto:a@example.com' from public.offers;
  insert into private.offer_moves (offer_id, number, side, kind, amount) select id, 2, 'owner', 'counter', '$5' from public.offers;
  insert into private.offer_links (token_hash, offer_id, number, nonce)
  select md5('a') || md5('b'), id, 1, md5('c') from public.offers limit 1`;

const SECRETS = { NOTIFY_SECRET: `it's "quoted" $HOME #1`, SESSION_HOURS: '12' };

let api: ManagementApi;
let folder: string;
before(async () => {
  await installCli();
  api = await startManagementApi();
  folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const lines = { name: 'test', api_url: api.url, dashboard_url: api.url, project_host: 'localhost' };
  const yaml = Object.entries(lines).map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(join(folder, 'profile.yaml'), yaml.join(''));
});
after(() => {
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the CLI links the project, and turns sign-up off and email sign-in on; a second push changes nothing', async () => {
  const { link, config } = cliSteps(REF, SECRETS);
  await run(link);
  // Once it is written: the CLI wants to read all 250 settings of auth, of which the stand-in has five.
  await assert.rejects(run(config), /failed to update Auth config: SchemaError\(Missing key/);
  assert.deepEqual(
    {
      disable_signup: api.auth.disable_signup,
      external_email_enabled: api.auth.external_email_enabled,
      jwt_exp: api.auth.jwt_exp,
      password_min_length: api.auth.password_min_length,
      db_schema: api.dataApi.db_schema,
    },
    {
      disable_signup: true,
      external_email_enabled: true,
      jwt_exp: 600,
      password_min_length: 12,
      db_schema: 'public',
    },
  );
  const count = () => api.requests.filter(({ method }) => method === 'PATCH').length;
  const changes = count();
  await run(config);
  assert.equal(count(), changes);
});

test('a platform that does not respond ends a step after its time', async () => {
  Object.assign(process.env, cliEnvironment());
  const { link } = cliSteps(REF, SECRETS);
  api.onRequest = () => 'none';
  try {
    assert.notEqual((await runCli(link, process.env, 'inherit', 5_000)).code, 0);
  } finally {
    api.onRequest = () => undefined;
  }
});

test('the CLI sets the secrets as they are, removes old ones, and runs the schedule', async () => {
  const { secrets } = cliSteps(REF, SECRETS);
  const output = await run(secrets);
  assert.doesNotMatch(output, /quoted/);
  assert.deepEqual(
    last('POST', '/secrets'),
    Object.entries(SECRETS).map(([name, value]) => ({ name, value })),
  );
  await run(removeSecretsStep(REF, ['SMTP_URL']));
  assert.deepEqual(last('DELETE', '/secrets'), ['SMTP_URL']);
  const sql = readFileSync('supabase/schedule-messages.sql', 'utf8');
  const shown = await run(scheduleStep(REF, sql, 'https://x.supabase.co', 'sb_secret_x'));
  assert.doesNotMatch(shown, /sb_secret/);
  const { query } = last('POST', '/database/query') as { query: string };
  assert.match(query, /'sb_secret_x'[\s\S]*cron\.schedule\('deliver-messages'/);
});

test('the CLI uploads every function with what it imports, its import map, and no check of tokens', async () => {
  await run(cliSteps(REF, SECRETS).functions);
  const uploads = api.requests.filter(({ path }) => path.startsWith('/functions/deploy'));
  const names = globSync('supabase/functions/*/index.ts').map((file) => basename(dirname(file)));
  assert.deepEqual(uploads.map(({ path }) => /slug=([\w-]+)/.exec(path)?.[1]).sort(), names.sort());
  for (const { path, body } of uploads) {
    const name = /slug=([\w-]+)/.exec(path)?.[1];
    const { verify_jwt, import_map_path, entrypoint_path } = metadataOf(body);
    assert.deepEqual(
      { verify_jwt, import_map_path, entrypoint_path },
      {
        verify_jwt: false,
        import_map_path: 'supabase/functions/deno.json',
        entrypoint_path: `supabase/functions/${name}/index.ts`,
      },
    );
    const files = filesOf(body);
    assert.ok(files.includes('supabase/functions/_shared/contract/rejections.ts'), name);
    assert.ok(files.includes('supabase/functions/deno.json'), name);
    assert.deepEqual(
      files.filter((file) => /\.(?:test|fixture)\.ts$/.test(file)),
      [],
    );
  }
});

test('migrations push twice as no superuser, with the golden grants and no warning of the advisors', {
  skip: NO_POSTGRES,
}, async () => {
  await withServer(async (admin, url) => {
    const push = toServer(cliSteps(REF, SECRETS).migrations, url);
    await run(push);
    assert.match(await run(push), /up to date/i);
    const { rows } = await admin.query('select public.read_access() as access');
    assert.deepEqual(rows[0].access, EXPECTED_ACCESS);
    const lint = {
      args: ['db', 'lint', `--remote=${url}`, '--schema', 'public,private', '--fail-on', 'warning'],
    };
    // Debian has it in a package of its own: postgresql-17-plpgsql-check.
    const { rowCount } = await admin.query(
      "select from pg_available_extensions where name = 'plpgsql_check'",
    );
    if (rowCount) await run({ ...push, ...lint });
    // Infos name the closed tables of the schema private: row level security without a policy is meant there.
    const advisors = { args: ['db', 'advisors', `--remote=${url}`, '--level', 'warn', '--fail-on', 'warn'] };
    await run({ ...push, ...advisors });
  });
});

test('a project of the commit before the baseline keeps its rows, also where two deploy at once; an older one is rejected', {
  skip: NO_POSTGRES,
}, async () => {
  await withServer(async (admin, url) => {
    const { fold, migrations } = cliSteps(REF, SECRETS);
    const [prepare, push] = [toServer(fold, url), toServer(migrations, url)];
    const all = async (sql: string) => (await admin.query(sql)).rows;
    // A new project, which has no history.
    await run(prepare);
    await run(push);
    const after = await all(VERSIONS);
    // Its tables are those of the commit before. Migrations after the baseline stay recorded, as their tables are there.
    const [baseline, ...later] = after;
    await admin.query(
      `delete from supabase_migrations.schema_migrations where version = '${baseline?.version}'; ${ROWS}`,
    );
    const versions = ['20261207000001', '20261207000002', '20261207000003', '20261208000001'];
    const record = (list: readonly string[]) =>
      admin.query(
        `insert into supabase_migrations.schema_migrations (version, statements, name)
         select version, array['select ' || version], 'one' from unnest($1::text[]) as version`,
        [list],
      );
    const rows = await all(ALL_ROWS);
    await assert.rejects(
      run(prepare),
      /has none of the 5 migrations .* commit 73fa65f3 with it, then that of/,
    );
    await record(versions);
    await assert.rejects(run(prepare), /has 4 of the 5 migrations .* version of commit b911ff25 with it\./);
    assert.deepEqual(await all(VERSIONS), [...versions.map((version) => ({ version })), ...later]);
    await record(['20261208000002']);
    await assert.rejects(run(push), /migration repair/);
    await Promise.all(['one', 'other'].map((name) => runFromOwnFile(prepare, name)));
    await run(prepare);
    assert.match(await run(push), /up to date/i);
    assert.deepEqual(await all(VERSIONS), after);
    assert.deepEqual(await all(ALL_ROWS), rows);
    assert.deepEqual(await all('select public.read_access() as access'), [{ access: EXPECTED_ACCESS }]);
  });
});

/** Starts PostgreSQL as a hosted project has it. @param use gets a pool with all rights, and the URL of the project's owner */
async function withServer(use: (admin: pg.Pool, url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const server = startPostgres('supabase_admin', port);
  const admin = new pg.Pool({ host: server.socket, port, user: 'supabase_admin', database: 'postgres' });
  try {
    await admin.query(HOSTED_DATABASE);
    await use(admin, `postgresql://postgres:x@127.0.0.1:${port}/postgres?sslmode=disable`);
  } finally {
    await admin.end();
    server.stop();
  }
}

/** The step with a server of ours instead of the platform. */
function toServer(step: CliStep, url: string): CliStep {
  return { ...step, args: step.args.map((arg) => (arg.startsWith('--remote') ? `--remote=${url}` : arg)) };
}

/** The parsed body of the last request. */
function last(method: string, path: string): unknown {
  const found = api.requests.findLast((one) => one.method === method && one.path.startsWith(path));
  return JSON.parse(String(found?.body ?? 'null'));
}

/** Runs a step as npm run deploy:backend does. Returns all that it printed. */
async function run(step: CliStep): Promise<string> {
  return await withSecretFile(step.file, () => runWith(step.args));
}

/** As another machine does, with a file that no other run removes. */
async function runFromOwnFile({ args, file = '' }: CliStep, name: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, file);
  return await runWith(args.map((arg) => (arg === SECRET_FILE ? path : arg)));
}

function cliEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    SUPABASE_HOME: folder,
    SUPABASE_NO_KEYRING: '1',
    SUPABASE_TELEMETRY_DISABLED: '1',
    SUPABASE_NO_UPDATE_NOTIFIER: '1',
    SUPABASE_PROFILE: join(folder, 'profile.yaml'),
    SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
  };
}

async function runWith(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: resolve('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cliEnvironment(),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((done) => child.once('exit', done));
  assert.equal(code, 0, `supabase ${args.join(' ')}\n${output}`);
  return output;
}
