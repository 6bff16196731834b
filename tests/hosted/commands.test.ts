/** `npm run test:hosted`: the owner's commands, as processes, against a stand-in for a hosted project. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { type HostedStandIn, startHostedStandIn } from '../support/hosted-stand-in.ts';
import { type ManagementApi, REF, startManagementApi } from './management-api.ts';

let standIn: HostedStandIn;
let api: ManagementApi;
let folder: string;
before(async () => {
  standIn = await startHostedStandIn();
  api = await startManagementApi();
  folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const lines = { name: 'test', api_url: api.url, dashboard_url: api.url, project_host: 'localhost' };
  const yaml = Object.entries(lines).map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(join(folder, 'profile.yaml'), yaml.join(''));
});
after(async () => {
  api.close();
  await standIn.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('admin, export, erase, messages and the check work on the project, and print no key', async () => {
  await assertRuns(['admin', 'add', 'owner@example.com'], /^owner@example\.com is an administrator now/);
  const password = readFileSync(join(folder, 'data/admin-password.txt'), 'utf8').trim();
  await assertRuns(
    ['admin', 'list'],
    /^Email +Administrator since +Last sign-in\nowner@example\.com .* UTC +not known/,
  );
  await standIn.database.sql.exec(
    `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
     values ('lap.app', '=1+1', 'Ada', 'ada@example.com')`,
  );
  const file = join(folder, 'offers.csv');
  await assertRuns(['export', file], /^Wrote 1 offer to /);
  assert.match(readFileSync(file, 'utf8'), /lap\.app,'=1\+1,Ada,ada@example\.com,\d{4}-\S+,pending\r\n$/);
  await assertRuns(['messages', 'status'], /^Sent: 0\. Queued: 0\. Not sent: 0\./);
  await assertRuns(['erase', 'ada@example.com'], /^Erased 1 offer\./);

  const signIn = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: password };
  const first = await run(['deploy-backend', '--check'], signIn);
  assert.equal(first.code, 1);
  assert.match(first.output, /no catalogue is published[\s\S]*The project is not as it has to be/);
  const entries = ['sample.app', 'lap.app'].map((name) => ({ name, state: 'for_sale' }));
  await standIn.database.sql.query('select public.publish_listings($1, $2, false)', [
    JSON.stringify(entries),
    [],
  ]);
  const { output } = await run(['deploy-backend', '--check'], { ...signIn, ADMIN_HOST: 'localhost' });
  assert.match(output, /Passed: \d{2,3}\. Failed: 0\. Left out: 0\./, output);
});

test('a step of the deployment that fails is named, and nothing after it is done', async () => {
  const { code, output } = await run(['deploy-backend', '--project-ref', REF], {
    NOTIFY_URL: 'https://hooks.example/secret-path',
  });
  assert.equal(code, 1);
  assert.match(output, /This step failed: Apply the migrations \(see above\)\. Set SUPABASE_DB_PASSWORD/);
  assert.doesNotMatch(output, /sb_secret|secret-path/);
  assert.ok(!api.requests.some(({ path }) => path.startsWith('/secrets')));
});

async function assertRuns(args: [string, ...string[]], wanted: RegExp): Promise<void> {
  const { code, output } = await run(args);
  assert.equal(code, 0, output);
  assert.match(output, wanted);
}

async function run([name, ...args]: [string, ...string[]], env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `node/commands/${name}.ts`, ...args],
    {
      cwd: resolve('.'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        DATA_DIR: join(folder, 'data'),
        SUPABASE_URL: standIn.url,
        SUPABASE_PUBLISHABLE_KEY: standIn.publishableKey,
        SUPABASE_SECRET_KEY: standIn.secretKey,
        SUPABASE_HOME: folder,
        SUPABASE_NO_KEYRING: '1',
        SUPABASE_PROFILE: join(folder, 'profile.yaml'),
        SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
        ...env,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((done) => child.once('exit', done));
  assert.ok(!output.includes(standIn.secretKey), 'the secret key is printed');
  return { code, output };
}
