/** The settings that `supabase config push` writes to a hosted project. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const CONFIG = readFileSync(new URL('config.toml', import.meta.url), 'utf8');

test('nobody can sign up, and the owner can still sign in with a password', () => {
  assert.equal(settingIn('auth', 'enable_signup'), 'false');
  // Despite its name the CLI turns the whole email provider off with it (`external_email_enabled`): one push of `false`
  // locked the owner out.
  assert.equal(settingIn('auth.email', 'enable_signup'), 'true');
  // The CLI knows no such key there, and newer versions reject unknown ones.
  assert.equal(settingIn('auth.email', 'enabled'), undefined);
});

test('passwords have at least 12 characters', () => {
  assert.equal(settingIn('auth', 'minimum_password_length'), '12');
});

test('an access token lives 10 minutes, as with the embedded backend', () => {
  assert.equal(settingIn('auth', 'jwt_expiry'), '600');
});

/** The value of a key in one table of the file, as it is written there. */
function settingIn(table: string, key: string): string | undefined {
  const [, section = ''] = CONFIG.split(new RegExp(`^\\[${table.replaceAll('.', '\\.')}\\]$`, 'm'));
  const [own = ''] = section.split(/^\[/m);
  return new RegExp(`^${key} = (.*)$`, 'm').exec(own)?.[1];
}
