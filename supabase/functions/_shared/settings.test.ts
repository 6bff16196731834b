import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountOf, limitOf } from './rate-limits.ts';
import { readSettings } from './settings.ts';

const ENV = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };

test('RATE_LIMIT_SCALE has an effect on loopback only', async () => {
  const scaled = { ...ENV, RATE_LIMIT_SCALE: '1000' };
  const open = readSettings({ ...scaled, LOOPBACK_ONLY: '0' });
  assert.equal(open.rateLimitScale, 1);
  assert.equal(readSettings(scaled).rateLimitScale, 1);
  assert.equal(limitOf(open, 'sign-in.ip', 'a').max, 10);
  const local = readSettings({ ...scaled, LOOPBACK_ONLY: '1' });
  assert.equal(local.rateLimitScale, 1000);
  assert.equal(limitOf(local, 'sign-in.ip', 'a').max, 10_000);
});

test('a list without keys gives way to the single key', () => {
  for (const SUPABASE_SECRET_KEYS of ['{}', '{"default":""}', '[]', 'null', 'x'])
    assert.equal(readSettings({ ...ENV, SUPABASE_SECRET_KEYS }).secretKey, 'sb_secret_t');
  const named = { ...ENV, SUPABASE_SECRET_KEYS: '{"other":"sb_secret_o","default":"sb_secret_d"}' };
  assert.equal(readSettings(named).secretKey, 'sb_secret_d');
  assert.equal(readSettings({ SUPABASE_SECRET_KEYS: '{"other":"sb_secret_o"}' }).secretKey, 'sb_secret_o');
  assert.equal(
    readSettings({ SUPABASE_SERVICE_ROLE_KEY: 'of the former kind' }).secretKey,
    'of the former kind',
  );
});

test('ADMIN_HOST counts in any letter case, and links lead to the port of the server', () => {
  assert.equal(readSettings({ ...ENV, ADMIN_HOST: ' Admin.Example ' }).adminHost, 'admin.example');
  assert.equal(readSettings({ ...ENV, LOCAL_PORT: '8080' }).localPort, 8080);
  assert.equal(readSettings(ENV).localPort, 4321);
});

test('SESSION_HOURS and SESSION_IDLE_MINUTES have defaults and bounds', () => {
  const { sessionHours, sessionIdleMinutes, problem } = readSettings(ENV);
  assert.deepEqual([sessionHours, sessionIdleMinutes, problem], [12, 120, undefined]);
  const set = readSettings({ ...ENV, SESSION_HOURS: '720', SESSION_IDLE_MINUTES: '5' });
  assert.deepEqual([set.sessionHours, set.sessionIdleMinutes, set.problem], [720, 5, undefined]);
  for (const hours of ['0', '721', '1.5', 'a', '-1']) {
    assert.match(readSettings({ ...ENV, SESSION_HOURS: hours }).problem ?? '', /^SESSION_HOURS /, hours);
  }
  for (const minutes of ['4', '10081', 'Infinity']) {
    const read = readSettings({ ...ENV, SESSION_IDLE_MINUTES: minutes });
    assert.match(read.problem ?? '', /^SESSION_IDLE_MINUTES /, minutes);
  }
});

test('a public server with Turnstile’s test secret rejects every request, and one for this machine alone does not', () => {
  const env = { ...ENV, TURNSTILE_SECRET_KEY: '1x0000000000000000000000000000000AA' };
  for (const open of [env, { ...env, LOOPBACK_ONLY: '0' }]) {
    const expected = /^TURNSTILE_SECRET_KEY is one of Cloudflare’s test keys/;
    assert.match(readSettings(open).problem ?? '', expected);
  }
  assert.equal(readSettings({ ...env, LOOPBACK_ONLY: '1' }).problem, undefined);
});

test('the key of a limit differs by bucket and by server', async () => {
  const settings = readSettings(ENV);
  const other = readSettings({ ...ENV, SUPABASE_SECRET_KEY: 'sb_secret_other' });
  const keys = [
    limitOf(settings, 'submit.ip', '192.0.2.1'),
    limitOf(settings, 'sign-in.ip', '192.0.2.1'),
    limitOf(other, 'submit.ip', '192.0.2.1'),
  ].map(({ key }) => key);
  assert.equal(new Set(keys).size, 3);
});

test('emails in different letter case are one account', () => {
  assert.equal(accountOf('Ada@Example.COM'), accountOf('ada@example.com'));
});

test('messages are read, and a wrong setting of theirs rejects no request', () => {
  const env = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };
  const NOTIFY_URL = 'https://hooks.example/a';
  const right = readSettings({ ...env, NOTIFY_URL });
  assert.deepEqual([right.messages.webhooks.urls, right.messagesProblem], [[NOTIFY_URL], undefined]);
  const wrong = readSettings({ ...env, NOTIFY_URL, MAIL_TO: 'ada@example.com' });
  assert.deepEqual([wrong.messages.webhooks.urls, wrong.problem], [[], undefined]);
  assert.match(wrong.messagesProblem ?? '', /^MAIL_TO is set without SMTP_URL/);
});
