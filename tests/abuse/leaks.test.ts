/** Secrets stay where they belong: not in dist/ or an error. In logs: logs.test.ts and outage.test.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { ADMIN, copyOfProject } from '../support/product.ts';
import { assertNoSecrets, PLANTED_OFFER } from './leaks.ts';
import { count } from './report.ts';
import { failedStart } from './start-process.ts';

/** Everything a careless build might take from its surroundings. */
const ENVIRONMENT = {
  ADMIN_PASSWORD: ADMIN.password,
  ADMIN_EMAIL: PLANTED_OFFER.customer_email,
  TURNSTILE_SITE_KEY: 'site-key-that-is-public',
  TURNSTILE_SECRET_KEY: 'turnstile-secret-7f3a',
  SUPABASE_SECRET_KEY: 'sb_secret_of_the_environment',
  SUPABASE_SERVICE_ROLE_KEY: 'service-role-key-7f3a',
  PUBLIC_PLANTED: 'public-planted-7f3a',
};

describe('leaks', () => {
  // A whole build may take more than a minute beside other tests.
  test('a build puts public settings into the pages, and no secrets', { timeout: 180_000 }, () => {
    const { folder, remove } = copyOfProject();
    try {
      const { status, stdout, stderr } = spawnSync(
        resolve('node_modules/.bin/node'),
        ['--disable-warning=ExperimentalWarning', 'commands/build-if-needed.ts'],
        {
          cwd: folder,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: process.env.HOME, ...ENVIRONMENT },
        },
      );
      assert.equal(status, 0, stderr);
      const { TURNSTILE_SITE_KEY: siteKey, ...secrets } = ENVIRONMENT;
      searchFolder(join(folder, 'dist'), Object.values(secrets));
      assertNoSecrets(stdout + stderr, Object.values(secrets), 'the output of the build');
      const built = filesOf(join(folder, 'dist')).map((file) => readFileSync(file, 'latin1'));
      assert.ok(
        built.some((text) => text.includes(siteKey)),
        'the site key is in the pages',
      );
    } finally {
      remove();
    }
  });

  test('the error of an invalid setting contains no secret', async () => {
    const secret = 'secret-7f3a';
    const wrong: Record<string, string>[] = [
      { ADMIN_PASSWORD: secret.slice(-4) },
      { ADMIN_PASSWORD: secret.repeat(10) },
      { TURNSTILE_SECRET_KEY: secret },
      { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: secret, PORT: 'a' },
      { ADMIN_PASSWORD: `${secret} long enough`, DATA_DIR: '/dev/null/data' },
    ];
    const starts = wrong.map((env) => failedStart({ DATA_DIR: '/dev/null/data', ...env }));
    for (const { code, output } of await Promise.all(starts)) {
      assert.equal(code, 1);
      assertNoSecrets(output, [secret, '7f3a'], 'the error');
      count('otherFaults');
    }
  });
});

function searchFolder(folder: string, secrets: string[]): void {
  assert.ok(existsSync(folder), `${folder} is built`);
  for (const file of filesOf(folder)) {
    if (/\.(?:br|gz)$/.test(file)) continue;
    const text = readFileSync(file, 'latin1');
    assertNoSecrets(text, secrets, file);
    assert.doesNotMatch(text, /sb_secret_[\w-]{8,}|-----BEGIN/, file);
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
