import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { loadLists, weaknessOf } from './password-strength.ts';

// Once for all passwords: it takes 0.3 s of processor time.
const lists = loadLists();
const weakness = (password: string, siteWords: readonly string[] = []) =>
  weaknessOf(password, 'owner@lapdomains.example', siteWords, () => lists);

test('a password with fewer than twelve visible characters is weak', async () => {
  for (const password of ['', 'xkT92-fjwq', 'xkT92-fjwq9', '😀😁😂🤣😃😄😅😆😉😊😋']) {
    assert.equal(await weakness(password), 'has fewer than 12 characters', password);
  }
});

test('common passwords, their usual changes and the parts of the email are weak', async () => {
  for (const password of [
    'passwordpassword',
    'Password12345!',
    'P@ssw0rd1234',
    '123456789012',
    'qwertyuiop12',
    'letmeinletmein',
    'aaaaaaaaaaaa',
    'lapdomains12',
    'owner@lapdomains.example',
  ]) {
    assert.match((await weakness(password)) ?? '', /^is a common password/, password);
  }
});

test('seasons, months and common words with a year are weak, and so are words of the product and the site', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `name${at}.example`);
  const siteWords = ['Your Next Domain Awaits', 'Deine nächste Domain wartet', ...names, 'lap.app'];
  for (const password of [
    'Password2026!!',
    'Winter2026!!!!',
    'Summer2026Summer',
    'ChangeMe12345!',
    'MyPassword2026!',
    'Supabase2026!',
    'FebruaryMarch2026',
    'thisismypassword',
    'domainsalesadmin',
    'yournextdomainawaits',
    'YourNextDomainAwaits!',
    'Your Next Domain Awaits',
    'lap.app-2026!',
    'domain-storefront',
    'lapdomains-2026!',
  ]) {
    const found = await weakness(password, siteWords);
    assert.match(found ?? '', /^is a common password/, password);
  }
  for (const password of ['correct horse battery', 'xkT92-fjwq-20', randomBytes(15).toString('base64url')]) {
    assert.equal(await weakness(password, siteWords), undefined, password);
  }
});

test('a passphrase and a generated password are strong', async () => {
  for (const password of [
    'correct horse battery',
    'xkT92-fjwq-20',
    'Zufallsgenerator Apfelmus',
    'mQ3vX8s1bR0kYz2pLw9t',
  ]) {
    assert.equal(await weakness(password), undefined, password);
  }
});
