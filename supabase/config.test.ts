/** The settings that `supabase config push` writes to a hosted project. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const CONFIG = readFileSync(join(import.meta.dirname, 'config.toml'), 'utf8');

test('sign-up is off, and sign-in with a password stays on', () => {
  assert.equal(settingIn('auth', 'enable_signup'), 'false');
  // The whole email provider (`external_email_enabled`): one push of `false` locked the owner out.
  assert.equal(settingIn('auth.email', 'enabled'), 'true');
  // Its name before the CLI's version 3, which reports it as deprecated.
  assert.equal(settingIn('auth.email', 'enable_signup'), undefined);
});

test('passwords have at least 12 characters', () => {
  assert.equal(settingIn('auth', 'minimum_password_length'), '12');
});

test('an access token is valid for 10 minutes, as on the embedded backend', () => {
  assert.equal(settingIn('auth', 'jwt_expiry'), '600');
});

/** Returns the value of a key in one table of the file, as written. */
function settingIn(table: string, key: string): string | undefined {
  const [, section = ''] = CONFIG.split(new RegExp(`^\\[${table.replaceAll('.', '\\.')}\\]$`, 'm'));
  const [own = ''] = section.split(/^\[/m);
  return new RegExp(`^${key} = (.*)$`, 'm').exec(own)?.[1];
}
