import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../_shared/settings.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const EMAIL = 'owner@example.com';

test('a device token is valid for its account, in any letter case, for 180 days', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 23) });
  const token = issueDeviceToken(SETTINGS, EMAIL);
  const device = deviceOf(SETTINGS, EMAIL, token);
  assert.match(device ?? '', /^[0-9a-f]{32}$/);
  assert.equal(deviceOf(SETTINGS, 'Owner@Example.com', token), device);
  context.mock.timers.tick(180 * 86_400_000);
  assert.equal(deviceOf(SETTINGS, EMAIL, token), device);
  context.mock.timers.tick(1_000);
  assert.equal(deviceOf(SETTINGS, EMAIL, token), undefined);
});

test('two devices of an account have different ids', async () => {
  const [one, other] = [issueDeviceToken(SETTINGS, EMAIL), issueDeviceToken(SETTINGS, EMAIL)];
  assert.notEqual(deviceOf(SETTINGS, EMAIL, one), deviceOf(SETTINGS, EMAIL, other));
});

test('a token of another account or server, or a changed one, is not valid', async () => {
  const token = issueDeviceToken(SETTINGS, EMAIL);
  const other = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_other' });
  assert.equal(deviceOf(SETTINGS, 'other@example.com', token), undefined);
  assert.equal(deviceOf(other, EMAIL, token), undefined);
  const [issuedAt = '', id = '', signature = ''] = token.split('.');
  const flipped = (text: string) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  for (const changed of [
    '',
    '..',
    token.slice(0, -1),
    `${token}0`,
    `${Number(issuedAt) + 1}.${id}.${signature}`,
    `${issuedAt}.${flipped(id)}.${signature}`,
    `${issuedAt}.${id}.${flipped(signature)}`,
    `${issuedAt}.${id}.${signature.toUpperCase()}`,
    `${issuedAt}.${id}.`,
  ]) {
    assert.equal(deviceOf(SETTINGS, EMAIL, changed), undefined, changed);
  }
});
