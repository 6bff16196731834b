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
import { withSecretFile } from '../../commands/hosted/secret-file.ts';
import { installCli, PROGRAM, runCli } from '../../commands/hosted/supabase-cli.ts';
import type { Migration } from '../../server/embedded/migrate.ts';
import { ALL_ROWS, FORMER_MIGRATIONS, FORMER_ROWS } from '../../supabase/tests/former-database.ts';
import { NO_POSTGRES, startPostgres } from '../../supabase/tests/postgres.ts';
import { freePort } from '../support/free-port.ts';
import { HOSTED_DATABASE } from './hosted-database.ts';
import { filesOf, type ManagementApi, metadataOf, REF, startManagementApi } from './management-api.ts';

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

test('a project from before the baseline is taken over with its rows, and an older one stays as it is', {
  skip: NO_POSTGRES,
}, async () => {
  await withServer(async (admin, url) => {
    const { takeOver, migrations } = cliSteps(REF, SECRETS);
    const [prepare, push] = [toServer(takeOver, url), toServer(migrations, url)];
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query('create schema supabase_migrations');
    await owner.query(
      'create table supabase_migrations.schema_migrations (version text primary key, name text)',
    );
    const apply = async ({ version, name, sql }: Migration) => {
      await owner.query(sql);
      await owner.query('insert into supabase_migrations.schema_migrations values ($1, $2)', [version, name]);
    };
    for (const migration of FORMER_MIGRATIONS.slice(0, -1)) await apply(migration);
    await assert.rejects(run(prepare), /of an older version/);
    for (const migration of FORMER_MIGRATIONS.slice(-1)) await apply(migration);
    await admin.query(`insert into auth.users (id, email) values (gen_random_uuid(), 'owner@example.com');
      insert into private.admins (user_id) select id from auth.users;
      insert into auth.sessions (id, user_id) select id, id from auth.users; ${FORMER_ROWS}`);
    await owner.end();
    const { rows } = await admin.query(ALL_ROWS);
    await assert.rejects(run(push), /migration repair/);
    await run(prepare);
    await run(push);
    await run(prepare);
    assert.match(await run(push), /up to date/i);
    assert.deepEqual((await admin.query(ALL_ROWS)).rows, rows);
    const access = await admin.query('select public.read_access() as access');
    assert.deepEqual(access.rows, [{ access: EXPECTED_ACCESS }]);
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
