import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAdminHost, isForThisMachineOnly, readSettings } from './settings.ts';

/** The functions get these numbers in any case. */
const NUMBERS = { SESSION_HOURS: '12', SESSION_IDLE_MINUTES: '120' };

test('the defaults serve this machine only, with a proof of work', () => {
  const settings = readSettings({});
  assert.equal(settings.port, 4321);
  assert.equal(settings.host, '127.0.0.1');
  assert.match(settings.dataDir, /\.data$/);
  assert.equal(settings.adminPassword, undefined);
  assert.equal(settings.turnstile, undefined);
  assert.equal(settings.supabase, undefined);
  assert.deepEqual(settings.functionsEnv, NUMBERS);
});

test('visits are counted unless COUNT_VISITS is no', () => {
  assert.equal(readSettings({ COUNT_VISITS: 'no' }).countVisits, false);
  for (const env of [{}, { COUNT_VISITS: 'yes' }]) assert.equal(readSettings(env).countVisits, true);
});

test('a server on loopback is for this machine only unless a proxy is in front', () => {
  const isForThisMachine = (env: Record<string, string>) => isForThisMachineOnly(readSettings(env));
  assert.equal(isForThisMachine({}), true);
  assert.equal(isForThisMachine({ HOST: '::1', TRUSTED_PROXIES: '0' }), true);
  assert.equal(isForThisMachine({ TRUSTED_PROXIES: '1' }), false);
  assert.equal(isForThisMachine({ HOST: '0.0.0.0' }), false);
});

test('settings of messages are read, and passed to the functions as they are', () => {
  const env = { NOTIFY_URL: 'https://hooks.example.com/a,https://ntfy.example/b', NOTIFY_SECRET: 'secret' };
  const { messages, functionsEnv } = readSettings({ ...env, MAIL_FROM: '' });
  assert.deepEqual(messages.webhooks.urls, ['https://hooks.example.com/a', 'https://ntfy.example/b']);
  assert.deepEqual(functionsEnv, { ...NUMBERS, ...env });
});

test('an empty value counts as not set', () => {
  assert.deepEqual(
    readSettings({ PORT: '', HOST: '', ADMIN_PASSWORD: '', TURNSTILE_SITE_KEY: '' }),
    readSettings({}),
  );
});

const WRONG: [name: string, env: Record<string, string>][] = [
  ['PORT', { PORT: 'abc' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['HOST', { HOST: 'http://localhost' }],
  ['ADMIN_EMAIL', { ADMIN_EMAIL: 'owner' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'x'.repeat(73) }],
  ['ADMIN_HOST', { ADMIN_HOST: 'admin.example.com:4321' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'yes' }],
  ['TRUSTED_PROXY_ADDRESSES', { TRUSTED_PROXY_ADDRESSES: '203.0.113.7, proxy' }],
  ['SESSION_HOURS', { SESSION_HOURS: '0' }],
  ['SESSION_IDLE_MINUTES', { SESSION_IDLE_MINUTES: '1' }],
  ['COUNT_VISITS', { COUNT_VISITS: 'never' }],
  ['RATE_LIMIT_SCALE', { RATE_LIMIT_SCALE: '0' }],
  ['RATE_LIMIT_SCALE', { RATE_LIMIT_SCALE: '2', HOST: '0.0.0.0' }],
  ['RATE_LIMIT_SCALE', { RATE_LIMIT_SCALE: '2', TRUSTED_PROXIES: '1' }],
  ['SMTP_URL', { SMTP_URL: 'smtp.example.com', MAIL_FROM: 'a@example.com', MAIL_TO: 'a@example.com' }],
  ['MAIL_TO', { SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'a@example.com', MAIL_TO: 'ada' }],
  ['NOTIFY_URL', { NOTIFY_URL: 'http://example.com/hook' }],
  ['TURNSTILE_SECRET_KEY', { TURNSTILE_SITE_KEY: '0xkey' }],
  ['TURNSTILE_SITE_KEY', { TURNSTILE_SECRET_KEY: '0xsecret' }],
  ['TURNSTILE_SITE_KEY', { TURNSTILE_SITE_KEY: 'a key', TURNSTILE_SECRET_KEY: '0xsecret' }],
  ['TURNSTILE_VERIFY_URL', { TURNSTILE_VERIFY_URL: 'http://example.com/' }],
  ['TURNSTILE_VERIFY_URL', { TURNSTILE_VERIFY_URL: 'siteverify' }],
  ['SUPABASE_URL', { SUPABASE_URL: 'name.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' }],
  ['SUPABASE_URL', { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' }],
  ['SUPABASE_PUBLISHABLE_KEY', { SUPABASE_URL: 'https://name.supabase.co' }],
  ['SUPABASE_URL', { SUPABASE_URL: 'http://name.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' }],
  ['SUPABASE_URL', { SUPABASE_URL: 'https://supabase.com', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' }],
  ...[`1x${'0'.repeat(31)}AA`, '0xsame'].map((key): (typeof WRONG)[number] => [
    'TURNSTILE_SITE_KEY',
    { TURNSTILE_SITE_KEY: key, TURNSTILE_SECRET_KEY: '0xsame' },
  ]),
  ...[
    `sb_secret_${'x'.repeat(20)}`,
    `e.${Buffer.from('{"role":"service_role"}').toString('base64url')}.s`,
    // An access token of the CLI, a password of a database, a token of another role.
    `sbp_${'0'.repeat(40)}`,
    'correct horse battery',
    `e.${Buffer.from('{"role":"authenticated"}').toString('base64url')}.s`,
  ].map((key): (typeof WRONG)[number] => [
    'SUPABASE_PUBLISHABLE_KEY',
    { SUPABASE_URL: 'https://name.supabase.co', SUPABASE_PUBLISHABLE_KEY: key },
  ]),
  ['DATA_DIR', { DATA_DIR: '~/offers' }],
  ['DATA_DIR', { DATA_DIR: 'package.json' }],
  ['DATA_DIR', { DATA_DIR: 'public/data' }],
  ['DATA_DIR', { DATA_DIR: './supabase' }],
];
for (const [name, env] of WRONG) {
  test(`an invalid value stops the start with an error that names ${name}: ${JSON.stringify(env)}`, () => {
    assert.throws(() => readSettings(env), { name: 'UserError', message: new RegExp(`\\b${name}\\b`) });
  });
}

test('a hosted project’s URL may end in a slash', () => {
  const { supabase } = readSettings({
    SUPABASE_URL: 'https://name.supabase.co/',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  });
  assert.equal(supabase?.url, 'https://name.supabase.co');
});

test('a legacy key is accepted if it is the public one', () => {
  const key = `e.${Buffer.from('{"role":"anon"}').toString('base64url')}.s`;
  const { supabase } = readSettings({
    SUPABASE_URL: 'https://name.supabase.co',
    SUPABASE_PUBLISHABLE_KEY: key,
  });
  assert.equal(supabase?.publishableKey, key);
});

test('passwords and keys are never repeated in a message', () => {
  const project = { SUPABASE_URL: 'https://name.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };
  for (const env of [
    { ADMIN_PASSWORD: 'hunter2'.repeat(12) },
    { ...project, SUPABASE_PUBLISHABLE_KEY: 'hunter2' },
    { ...project, SUPABASE_SECRET_KEY: 'hunter2' },
    { TURNSTILE_SITE_KEY: 'hunter2', TURNSTILE_SECRET_KEY: 'hunter2' },
  ]) {
    assert.throws(
      () => readSettings(env),
      (error: Error) => error.name === 'UserError' && !error.message.includes('hunter2'),
    );
  }
});

test('ADMIN_PASSWORD is removed from the environment that other processes inherit', (context) => {
  process.env.ADMIN_PASSWORD = 'correct horse battery';
  context.after(() => delete process.env.ADMIN_PASSWORD);
  assert.equal(readSettings().adminPassword, 'correct horse battery');
  assert.equal(process.env.ADMIN_PASSWORD, undefined);
});

test('ADMIN_HOST may not be a domain for sale', () => {
  const check = (ADMIN_HOST: string) => () => checkAdminHost(readSettings({ ADMIN_HOST }), ['lap.app']);
  for (const host of ['lap.app', 'WWW.lap.app', 'lap.app.localhost'])
    assert.throws(check(host), { name: 'UserError', message: /ADMIN_HOST is “[^”]+”, which is for sale/ });
  assert.doesNotThrow(check('admin.example.com'));
  assert.doesNotThrow(() => checkAdminHost(readSettings({}), ['lap.app']));
});
