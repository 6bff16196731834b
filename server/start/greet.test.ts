import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import type { AdministratorChange } from '../embedded/administrator.ts';
import { type Greeting, greet } from './greet.ts';

/** What is printed. */
function printed(
  env: Record<string, string>,
  {
    domains = ['lap.app'],
    hosts = [],
    isSample = false,
    ...change
  }: Partial<Pick<Greeting, 'domains' | 'hosts' | 'isSample'> & AdministratorChange> = {},
): string {
  const log = mock.method(console, 'log', () => {});
  const email = 'owner@example.com';
  const administrator: AdministratorChange = {
    email,
    change: 'created',
    administrators: [email],
    ...change,
  };
  greet({ settings: readSettings(env), port: 4321, domains, hosts, isSample, administrator });
  log.mock.restore();
  return String(log.mock.calls[0]?.arguments[0]);
}

test('a start prints the URL of twelve domains, as this machine reaches it, and how many more there are', () => {
  const linesOf = (count: number, env = {}) =>
    printed(env, { domains: Array.from({ length: count }, (_, n) => `name${n}.app`) }).split('\n');
  assert.ok(linesOf(1).includes('  http://name0.app.localhost:4321'));
  assert.ok(linesOf(1, { HOST: '192.0.2.1' }).includes('  http://192.0.2.1:4321/sites/name0.app/'));
  const of = (count: number) => linesOf(count).filter((line) => /name\d|more/.test(line));
  assert.equal(of(12).length, 12);
  assert.deepEqual(of(1_014).slice(11), ['  http://name11.app.localhost:4321', '  … and 1,002 more']);
});

test('a start with the sample’s domains names the command for a catalogue of one’s own', () => {
  const hint = /sample.*npm run catalogue -- init/;
  assert.match(printed({}, { isSample: true }), hint);
  assert.doesNotMatch(printed({}), hint);
});

test('a start names the commands that replace the first administrator, while there is no other', () => {
  const first = 'admin@example.com';
  const hint = /npm run admin -- add you@yours\.example.*\n {2}npm run admin -- remove admin@example\.com/;
  const ofFirst = { email: first, administrators: [first] };
  assert.match(printed({}, ofFirst), hint);
  assert.match(printed({}, { ...ofFirst, change: 'none' }), hint);
  const both = { email: first, administrators: [first, 'owner@example.com'] };
  assert.doesNotMatch(printed({}, { ...both, change: 'none' }), hint);
  assert.doesNotMatch(printed({}), /npm run admin/);
});

test('a start warns of an email address without an ending', () => {
  const env = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'offers@example.com', MAIL_TO: 'nora@nordwind' };
  assert.match(printed(env), /^Warning: MAIL_TO has nora@nordwind, an address without an ending/m);
  assert.doesNotMatch(printed({ ...env, MAIL_TO: 'nora@nordwind.example' }), /Warning/);
});

test('a generated password is printed to a terminal, and otherwise written to a file of its own', (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'greet-'));
  const { isTTY } = process.stdout;
  context.after(() => {
    process.stdout.isTTY = isTTY;
    rmSync(dataDir, { recursive: true });
  });
  const file = join(dataDir, 'admin-password.txt');
  process.stdout.isTTY = true;
  const several = { administrators: ['owner@example.com', 'second@example.com'] };
  const shown = printed({ DATA_DIR: dataDir }, { ...several, generatedPassword: 'generated-password' });
  assert.match(
    shown,
    /password: generated-password\n(?:.*\n)+ {2}Administrators: owner@example\.com, second@/,
  );
  assert.ok(!existsSync(file));
  process.stdout.isTTY = false;
  const text = printed({ DATA_DIR: dataDir }, { generatedPassword: 'generated-password' });
  assert.ok(!text.includes('generated-password'));
  assert.ok(text.includes(file));
  assert.equal(readFileSync(file, 'utf8'), 'generated-password\n');
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const second = join(dataDir, 'admin-password-2.txt');
  assert.ok(printed({ DATA_DIR: dataDir }, { generatedPassword: 'another-password' }).includes(second));
  assert.equal(readFileSync(second, 'utf8'), 'another-password\n');
  assert.equal(readFileSync(file, 'utf8'), 'generated-password\n');
});

test('a start names the administrator, and a password only where it was set or should be', () => {
  const text = printed({}, { change: 'none' });
  assert.match(text, /^ {2}email: +owner@example\.com$/m);
  assert.doesNotMatch(text, /password|undefined/i);
  assert.match(printed({}), /^ {2}email: .* \(password from ADMIN_PASSWORD\)$/m);
  assert.match(printed({}, { change: 'password_changed' }), / \(new password from ADMIN_PASSWORD\)$/m);
  const warning = 'ADMIN_PASSWORD is weak.';
  assert.match(printed({}, { change: 'none', warning }), /^ {2}ADMIN_PASSWORD is weak\.$/m);
});

test('several administrators are listed, one is not', () => {
  assert.doesNotMatch(printed({}), /Administrators:/);
  assert.match(
    printed({}, { administrators: ['owner@example.com', 'second@example.com'] }),
    /^ {2}Administrators: owner@example\.com, second@example\.com\. Remove one with npm run admin -- remove EMAIL$/m,
  );
});

test('the /admin that works is printed, and what to set where there is none', () => {
  assert.match(printed({}), /^ {2}http:\/\/localhost:4321\/admin$/m);
  assert.match(printed({}, { hosts: ['names.example.com'] }), /^ {2}https:\/\/names\.example\.com\/admin$/m);
  assert.match(printed({ ADMIN_HOST: 'admin.example' }), /^ {2}https:\/\/admin\.example\/admin$/m);
  assert.match(printed({ ADMIN_HOST: 'admin.localhost' }), /^ {2}http:\/\/admin\.localhost:4321\/admin$/m);
  assert.doesNotMatch(printed({}), /set ADMIN_HOST/);
  assert.match(printed({ HOST: '0.0.0.0' }), /set ADMIN_HOST/);
  assert.match(printed({ HOST: '192.0.2.1' }), /^Administrator:\n {2}From other machines .* set ADMIN_HOST/m);
  assert.doesNotMatch(printed({ HOST: '0.0.0.0' }, { hosts: ['names.example.com'] }), /set ADMIN_HOST/);
});

test('a start with Turnstile’s keys for tests warns that offers are lost', () => {
  const keys = (site: string, secret: string) => ({ TURNSTILE_SITE_KEY: site, TURNSTILE_SECRET_KEY: secret });
  const warning = /Turnstile’s keys are for tests, so every offer is rejected/;
  const [site, secret] = ['1x00000000000000000000AA', '1x0000000000000000000000000000000AA'];
  for (const env of [keys(site, secret), keys('0xsite', secret), keys(site, '0xsecret')]) {
    assert.match(printed(env), warning);
    assert.match(printed({ ...env, TRUSTED_PROXIES: '1' }), warning);
  }
  assert.doesNotMatch(printed(keys('0xsite', '0xsecret')), warning);
  assert.doesNotMatch(printed({}), warning);
});
