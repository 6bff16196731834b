import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { greet } from './greet.ts';

/** What is printed. */
function printed(
  env: Record<string, string>,
  hosts: string[] = [],
  generatedPassword?: string,
  administrators = ['owner@example.com'],
  isSample = false,
  change: 'created' | 'none' = 'created',
  email = 'owner@example.com',
): string {
  const log = mock.method(console, 'log', () => {});
  const administrator = {
    email,
    change,
    generatedPassword,
    administrators,
  };
  greet({ settings: readSettings(env), port: 4321, domains: ['lap.app'], hosts, isSample, administrator });
  log.mock.restore();
  return String(log.mock.calls[0]?.arguments[0]);
}

test('a start with the sample’s domains names the command for a catalogue of one’s own', () => {
  const hint = /sample.*npm run catalogue -- init/;
  assert.match(printed({}, [], undefined, undefined, true), hint);
  assert.doesNotMatch(printed({}), hint);
});

test('a start names the commands that replace the first administrator, while there is no other', () => {
  const first = 'admin@example.com';
  const hint = /npm run admin -- add you@yours\.example.*\n {2}npm run admin -- remove admin@example\.com/;
  assert.match(printed({}, [], undefined, [first], false, 'created', first), hint);
  assert.match(printed({}, [], undefined, [first], false, 'none', first), hint);
  assert.doesNotMatch(printed({}, [], undefined, [first, 'owner@example.com'], false, 'none', first), hint);
  assert.doesNotMatch(printed({}), hint);
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
  assert.match(printed({ DATA_DIR: dataDir }, [], 'generated-password'), /password: generated-password\n/);
  assert.ok(!existsSync(file));
  process.stdout.isTTY = false;
  const text = printed({ DATA_DIR: dataDir }, [], 'generated-password');
  assert.ok(!text.includes('generated-password'));
  assert.ok(text.includes(file));
  assert.equal(readFileSync(file, 'utf8'), 'generated-password\n');
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const second = join(dataDir, 'admin-password-2.txt');
  assert.ok(printed({ DATA_DIR: dataDir }, [], 'another-password').includes(second));
  assert.equal(readFileSync(second, 'utf8'), 'another-password\n');
  assert.equal(readFileSync(file, 'utf8'), 'generated-password\n');
});

test('a start that changes no password names the administrator, and no password', () => {
  const text = printed({}, [], undefined, undefined, false, 'none');
  assert.match(text, /^ {2}email: +owner@example\.com$/m);
  assert.doesNotMatch(text, /password/i);
});

test('several administrators are listed, one is not', () => {
  assert.doesNotMatch(printed({}), /Administrators:/);
  assert.match(
    printed({}, [], undefined, ['owner@example.com', 'second@example.com']),
    /^ {2}Administrators: owner@example\.com, second@example\.com\. Remove one with npm run admin -- remove EMAIL$/m,
  );
});

test('the /admin that works is printed, and what to set where there is none', () => {
  assert.match(printed({}), /^ {2}http:\/\/localhost:4321\/admin$/m);
  assert.match(printed({}, ['names.example.com']), /^ {2}https:\/\/names\.example\.com\/admin$/m);
  assert.match(printed({ ADMIN_HOST: 'admin.example' }), /^ {2}https:\/\/admin\.example\/admin$/m);
  assert.match(printed({ ADMIN_HOST: 'admin.localhost' }), /^ {2}http:\/\/admin\.localhost:4321\/admin$/m);
  assert.doesNotMatch(printed({}), /set ADMIN_HOST/);
  assert.match(printed({ HOST: '0.0.0.0' }), /set ADMIN_HOST/);
  assert.match(printed({ HOST: '192.0.2.1' }), /set ADMIN_HOST/);
  assert.doesNotMatch(printed({ HOST: '0.0.0.0' }, ['names.example.com']), /set ADMIN_HOST/);
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
