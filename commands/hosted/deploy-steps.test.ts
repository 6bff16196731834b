import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { functionSecrets } from '../../config/function-secrets.ts';
import { readSettings } from '../../config/settings.ts';
import {
  cliSteps,
  listSecretsStep,
  projectRef,
  removeSecretsStep,
  removeUnsetSecrets,
  scheduleStep,
} from './deploy-steps.ts';

const REF = 'abcdefghijklmnopqrst';

test('the ref comes from the URL of the project, or from the option where that is a domain of its own', () => {
  assert.equal(projectRef(`https://${REF}.supabase.co`), REF);
  assert.equal(projectRef('https://api.example.com', REF), REF);
  for (const [url, given] of [
    ['https://api.example.com'],
    ['http://127.0.0.1:1'],
    [`https://${REF}.supabase.co`, 'x'],
  ]) {
    assert.throws(() => projectRef(url ?? '', given), /ref is not known/);
  }
});

test('the functions get the settings that are set; no secret is in a command line', () => {
  const secrets = functionSecrets(
    readSettings({
      SUPABASE_URL: `https://${REF}.supabase.co`,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
      ADMIN_HOST: 'Admin.example',
      TURNSTILE_SITE_KEY: 'site-key',
      TURNSTILE_SECRET_KEY: 'turnstile-secret',
      NOTIFY_URL: 'https://hooks.example/secret',
      NOTIFY_SECRET: `it's "quoted" $HOME`,
    }),
  );
  assert.deepEqual(secrets, {
    ADMIN_HOST: 'Admin.example',
    SESSION_HOURS: '12',
    SESSION_IDLE_MINUTES: '120',
    TURNSTILE_SECRET_KEY: 'turnstile-secret',
    NOTIFY_URL: 'https://hooks.example/secret',
    NOTIFY_SECRET: `it's "quoted" $HOME`,
  });
  const sql = readFileSync('supabase/schedule-messages.sql', 'utf8');
  const schedule = scheduleStep(REF, sql, 'https://x.supabase.co', 'sb_secret_$&');
  const steps = [...Object.values(cliSteps(REF, secrets)), schedule];
  assert.doesNotMatch(
    steps.map(({ args }) => args.join(' ')).join('\n'),
    /secret_|turnstile-secret|hooks|quoted/,
  );
  assert.deepEqual(
    steps.map(({ args }) => args.slice(0, 2).join(' ')),
    [
      'link --project-ref',
      'db query',
      'db push',
      'config push',
      'secrets set',
      'functions deploy',
      'db query',
    ],
  );
  // Otherwise they are for a project that was linked before, or the CLI asks.
  for (const { args } of [...steps, removeSecretsStep(REF, ['A'])])
    assert.match(args.join(' '), new RegExp(`(?:--project-ref |--remote=)${REF} (?:.* )?--yes`));
  assert.ok(listSecretsStep(REF).args.includes(`--remote=${REF}`));
  assert.match(cliSteps(REF, secrets).fold.file, /schema_migrations/);
  const file = cliSteps(REF, secrets).secrets.file;
  assert.match(file, /^NOTIFY_SECRET=`it's "quoted" \$HOME`$/m);
  assert.match(schedule.file ?? '', /constant text := 'sb_secret_\$&';/);
  assert.doesNotMatch(schedule.file ?? '', /YOUR-(?:PROJECT|KEY)/);
  for (const value of [`'"\``, 'a\nSMTP_URL=b'])
    assert.throws(() => cliSteps(REF, { NOTIFY_SECRET: value }), /NOTIFY_SECRET has/);
});

const PRESENT = ['SUPABASE_URL', 'CLIENT_ADDRESS_HEADER', 'SESSION_HOURS', 'SESSION_IDLE_MINUTES'];
const ENV = { SUPABASE_URL: `https://${REF}.supabase.co`, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };

/** Removes from a project with these secrets. Returns the names. */
async function removedFrom(
  project: string[],
  env = {},
  remove = (names: string[], listed: Set<string>) => {
    for (const name of names) listed.delete(name);
  },
): Promise<string[]> {
  const listed = new Set([...PRESENT, ...project]);
  const removed: string[] = [];
  await removeUnsetSecrets(readSettings({ ...ENV, ...env }), {
    list: async () => [...listed],
    remove: async (names) => {
      removed.push(...names);
      remove(names, listed);
    },
  });
  return removed;
}

test('only secrets that the product manages are removed, once they are not set any more', async () => {
  const project = ['TURNSTILE_SECRET_KEY', 'ADMIN_HOST', 'SMTP_URL'];
  const names = await removedFrom(project, { ADMIN_HOST: 'admin.example' });
  assert.deepEqual(names, ['TURNSTILE_SECRET_KEY', 'SMTP_URL']);
  assert.match(removeSecretsStep(REF, names).args.join(' '), /^secrets unset TURNSTILE_SECRET_KEY SMTP_URL /);
  // Its secret was set in the dashboard: without it, no offer could be made.
  const withSiteKey = { ADMIN_HOST: 'admin.example', TURNSTILE_SITE_KEY: 'site-key' };
  assert.deepEqual(await removedFrom(project, withSiteKey), ['SMTP_URL']);
  await removedFrom([], {}, () => assert.fail('a command without names'));
});

test('a secret that the project does not list is named, and nothing is removed', async () => {
  const removed = removedFrom(['SMTP_URL'], { ADMIN_HOST: 'admin.example' }, () => assert.fail());
  await assert.rejects(removed, {
    name: 'UserError',
    message: /it does not have ADMIN_HOST\. .*deploy:backend again/,
  });
});

test('a removed secret that the project still lists is named', async () => {
  const removed = removedFrom(['SMTP_URL', 'ADMIN_HOST'], {}, (_, listed) => listed.delete('ADMIN_HOST'));
  await assert.rejects(removed, {
    name: 'UserError',
    message: /it still has SMTP_URL\. .*deploy:backend again/,
  });
});
