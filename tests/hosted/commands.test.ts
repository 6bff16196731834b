/** `npm run test:hosted`: the owner's commands, as processes, against a stand-in for a hosted project. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import { readRejection } from '#contract/rejections.ts';
import { bootedDataFolder } from '../support/booted-data-folder.ts';
import { seedOffers } from '../support/calls.ts';
import { type HostedStandIn, startHostedStandIn } from '../support/hosted-stand-in.ts';
import { runAtTerminal } from '../support/terminal.ts';
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
  assert.match(
    readFileSync(file, 'utf8'),
    /lap\.app,'=1\+1,Ada,ada@example\.com,\d{4}-\S+,pending,'=1\+1,\r\n$/,
  );
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

test('factor enrols at a terminal, with the key of the function, and the sign-in demands its code', async () => {
  const email = 'second@example.com';
  await assertRuns(['admin', 'add', email], /^second@example\.com is an administrator now/);
  const [file = ''] = readdirSync(join(folder, 'data')).filter((name) => /password-\d+\.txt$/.test(name));
  const password = readFileSync(join(folder, 'data', file), 'utf8').trim();
  let totp = new TOTP();
  const enrolled = await runAtTerminal('commands/admin.ts', ['factor', email], environment(), {
    prompt: 'The code that it shows: ',
    respond: (output) => {
      totp = URI.parse(/^otpauth:\S+$/m.exec(output)?.[0] ?? '') as TOTP;
      return totp.generate();
    },
  });
  const recoveryCodes = enrolled.text.match(/^ {2}(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/gm) ?? [];
  assert.equal(recoveryCodes.length, 10, enrolled.text);
  const signIn = async (more: object = {}) => {
    const response = await fetch(`${standIn.url}/functions/v1/admin-auth`, {
      method: 'POST',
      headers: { apikey: standIn.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, ...more }),
    });
    return `${response.status} ${readRejection(await response.json()).code}`;
  };
  assert.equal(await signIn(), '401 code_required');
  assert.equal(await signIn({ code: totp.generate() }), '401 wrong_code', 'used up by the enrolment');
  assert.equal(await signIn({ code: totp.generate({ timestamp: Date.now() + 30_000 }) }), '200 undefined');
  assert.equal(await signIn({ code: recoveryCodes[0]?.toLowerCase() }), '200 undefined');
  await assertRuns(['admin', 'list'], /second@example\.com .* yes$/m);
  await assertRuns(
    ['admin', 'factor', email, '--remove'],
    /^second@example\.com has no second factor any more/,
  );
  assert.equal(await signIn(), '200 undefined');
});

test('a negotiation goes from a counter-offer to accepted with the roles of a hosted project', async () => {
  const call = async (name: string, body: object, token = standIn.publishableKey) => {
    const response = await fetch(`${standIn.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: {
        apikey: standIn.publishableKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  };
  const password = readFileSync(join(folder, 'data/admin-password.txt'), 'utf8').trim();
  const { session } = await call('admin-auth', { email: 'owner@example.com', password });
  const { rows } = await standIn.database.sql.query<{ id: string }>(
    `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
     values ('lap.app', '$5', 'Ada', 'ada@example.com') returning id`,
  );
  const move = { kind: 'counter', seen: 1, amount: '$9' };
  const { link } = await call('negotiation', { offer_id: rows[0]?.id, move }, session.access_token);
  const token = new URL(link).hash.slice(1);
  const { status, moves } = await call('negotiation', { token, move: { kind: 'accept', seen: 2 } });
  assert.deepEqual([status, moves.at(-1).amount], ['accepted', '$9']);
  await assertRuns(['erase', 'ada@example.com'], /^Erased 1 offer\./);
});

test('a transfer continues after kills, and erase erases on both sides', async () => {
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  cpSync(bootedDataFolder(), data, { recursive: true });
  for (const args of [[], ['--to', 'elsewhere'], ['hosted']] as const) {
    const { code, output } = await run(['transfer', ...args]);
    assert.match(output, /npm run transfer -- --to hosted/);
    assert.equal(code, 1);
  }
  await seedOffers({ dataDir: data }, 1200);
  let killed = 0;
  for (let ended: number | null = null; ended !== 0; killed += 1) {
    // Each run gets further than the one before.
    const signal = killed % 2 === 0 ? 'SIGINT' : 'SIGKILL';
    const { code, output } = await run(['transfer', '--to', 'hosted'], {}, killed * 6, signal);
    if (code === 130) assert.match(output, /Stopped\. Nothing was removed here: run npm run transfer/);
    ended = code;
  }
  assert.ok(killed > 1, 'no run was killed');
  const counted = async () => {
    const { rows } = await standIn.database.sql.query<{ offers: number; ids: number }>(
      'select count(*)::integer as offers, count(distinct id)::integer as ids from public.offers',
    );
    return rows[0];
  };
  assert.deepEqual(await counted(), { offers: 1200, ids: 1200 });
  const file = join(folder, 'transferred.json');
  await assertRuns(['export', file], /^Wrote 1,200 offers to /);
  await assertRuns(
    ['erase', 'CUSTOMER7@Example.com'],
    /^Erased 1 offer\. Backups made earlier still hold them\.\nErased 1 offer in /,
  );
  await assertRuns(['transfer', '--to', 'hosted'], /^offers: 1199 here, 1199 of them there$/m);
  assert.deepEqual(await counted(), { offers: 1199, ids: 1199 });
  const refused = await run(['admin', 'remove', 'owner@example.com'], { ADMIN_EMAIL: 'Owner@example.com' });
  assert.match(refused.output, /again after the next start or npm run deploy:backend/);
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

test('Ctrl-C during a step of the deployment says what to do, and the CLI stops as well', async () => {
  const before = api.requests.length;
  const stopped = run(['deploy-backend', '--project-ref', REF], {}, 'first step', 'SIGINT');
  const { code, output } = await stopped;
  assert.equal(code, 130);
  assert.match(
    output,
    /— Link the project[\s\S]*Stopped\. Steps that were finished stay done: run npm run deploy:backend/,
  );
  assert.equal(api.requests.length, before + 1);
});

function environment(): Record<string, string> {
  return {
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    SUPABASE_URL: standIn.url,
    SUPABASE_PUBLISHABLE_KEY: standIn.publishableKey,
    SUPABASE_SECRET_KEY: standIn.secretKey,
    SUPABASE_HOME: folder,
    SUPABASE_NO_KEYRING: '1',
    SUPABASE_PROFILE: join(folder, 'profile.yaml'),
    SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
  };
}

async function assertRuns(args: [string, ...string[]], wanted: RegExp): Promise<void> {
  const { code, output } = await run(args);
  assert.equal(code, 0, output);
  assert.match(output, wanted);
}

/**
 * @param killAfter number of calls of the project, after which the command is killed; or when the first step of the
 * deployment waits for the platform, which does not respond
 */
async function run(
  [name, ...args]: [string, ...string[]],
  env: Record<string, string> = {},
  killAfter?: number | 'first step',
  signal: 'SIGINT' | 'SIGKILL' = 'SIGKILL',
) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `commands/${name}.ts`, ...args],
    {
      cwd: resolve('.'),
      // A group of its own, as a terminal makes for a command.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...environment(), ...env },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let calls = 0;
  standIn.onRequest = () => {
    calls += 1;
    if (typeof killAfter === 'number' && calls > killAfter) child.kill(signal);
  };
  api.onRequest = () => {
    if (killAfter !== 'first step' || child.pid === undefined) return undefined;
    process.kill(-child.pid, signal);
    return 'none';
  };
  const code = await new Promise<number | null>((done) => child.once('close', done));
  assert.ok(!output.includes(standIn.secretKey), 'the secret key is printed');
  return { code, output };
}
