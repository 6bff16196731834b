import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSettings } from '../config/settings.ts';
import {
  assertSecrets,
  commandLine,
  databaseSteps,
  functionSecrets,
  functionSteps,
  projectRef,
  removeSecretsStep,
  scheduleStep,
  secretsToRemove,
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
    ADMIN_HOST: 'admin.example',
    SESSION_HOURS: '12',
    SESSION_IDLE_MINUTES: '120',
    TURNSTILE_SECRET_KEY: 'turnstile-secret',
    NOTIFY_URL: 'https://hooks.example/secret',
    NOTIFY_SECRET: `it's "quoted" $HOME`,
  });
  const sql = readFileSync('supabase/schedule-messages.sql', 'utf8');
  const schedule = scheduleStep(REF, sql, 'https://x.supabase.co', 'sb_secret_$&');
  const steps = [...databaseSteps(REF, secrets), ...functionSteps(REF), schedule];
  assert.doesNotMatch(steps.map(commandLine).join('\n'), /secret_|turnstile-secret|hooks|quoted/);
  assert.deepEqual(
    steps.map(({ args }) => args.slice(0, 2).join(' ')),
    ['link --project-ref', 'db push', 'config push', 'secrets set', 'functions deploy', 'db query'],
  );
  const file = steps[3]?.file?.content ?? '';
  assert.match(file, /^NOTIFY_SECRET=`it's "quoted" \$HOME`$/m);
  assert.match(schedule.file?.content ?? '', /constant text := 'sb_secret_\$&';/);
  assert.doesNotMatch(schedule.file?.content ?? '', /YOUR-(?:PROJECT|KEY)/);
  assert.throws(() => databaseSteps(REF, { NOTIFY_SECRET: `'"\`` }), /NOTIFY_SECRET has/);
});

test('only secrets that the product manages are removed, once they are not set any more', () => {
  const present = ['SUPABASE_URL', 'CLIENT_ADDRESS_HEADER', 'TURNSTILE_SECRET_KEY', 'ADMIN_HOST', 'SMTP_URL'];
  const env = {
    SUPABASE_URL: `https://${REF}.supabase.co`,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    ADMIN_HOST: 'admin.example',
  };
  const names = secretsToRemove(present, readSettings(env));
  assert.deepEqual(names, ['TURNSTILE_SECRET_KEY', 'SMTP_URL']);
  assert.match(
    commandLine(removeSecretsStep(REF, names)),
    /^supabase secrets unset TURNSTILE_SECRET_KEY SMTP_URL /,
  );
  // Its secret was set in the dashboard: without it, no offer could be made.
  const withSiteKey = readSettings({ ...env, TURNSTILE_SITE_KEY: 'site-key' });
  assert.deepEqual(secretsToRemove(present, withSiteKey), ['SMTP_URL']);
});

test('secrets that the project does not list, or lists still, are named', () => {
  assertSecrets(['A', 'B', 'SUPABASE_URL'], ['A', 'B'], ['C']);
  assert.throws(() => assertSecrets(['B', 'C'], ['A', 'B'], ['C']), {
    name: 'UserError',
    message: /it does not have A, and it still has C\. .*run npm run deploy:backend again/,
  });
});
