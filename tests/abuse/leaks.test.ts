/** Secrets and visitors' data stay where they belong: not in dist/, a log, an error, or anything others can read. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { sendRequest } from '../support/http-client.ts';
import { childrenOf, commandOf } from '../support/processes.ts';
import { ADMIN, copyOfProject, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, functionCall, signIn, startAbused } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { killPart } from './kill-part.ts';
import { assertNoSecrets, assertNoSecretsInLog, PLANTED_OFFER, secretsOf } from './leaks.ts';
import { encodeProof, proofMaker, solveProof } from './proofs.ts';
import { count } from './report.ts';
import { failedStart } from './start-process.ts';
import { storedOffers } from './stored-offers.ts';

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
  const dataDir = newDataFolder();
  let product: AbusedProduct;
  before(async () => {
    product = await startAbused({ dataDir });
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  test('a build puts public settings into the pages, and no secrets', () => {
    const { folder, remove } = copyOfProject();
    try {
      const { status, stdout, stderr } = spawnSync(
        resolve('node_modules/.bin/node'),
        ['--disable-warning=ExperimentalWarning', 'node/commands/build-if-needed.ts'],
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

  test('logs contain no personal data of visitors, with and without errors', async () => {
    const turnstile_token = await solveProof(product.port);
    const offer = { ...PLANTED_OFFER, turnstile_token };
    assert.equal((await product.call('order-submit', offer)).status, 201);
    count('acknowledged');
    await product.call('order-submit', offer);
    await product.call('order-submit', { ...offer, customer_name: `${PLANTED_OFFER.customer_name} ` });
    await product.call('order-submit', { ...offer, customer_email: `${PLANTED_OFFER.customer_email}\r\n` });
    // An unknown field is named in the response only.
    await sendRequest(
      product.port,
      functionCall('order-submit', { ...offer, [PLANTED_OFFER.customer_email]: 1 }),
    );
    await product.call('order-submit', { ...offer, domain_name: PLANTED_OFFER.customer_email });
    await product.call('admin-auth', {
      email: PLANTED_OFFER.customer_email,
      password: PLANTED_OFFER.customer_name,
    });
    await product.call('admin-auth', { ...ADMIN, password: `${ADMIN.password}!` });
    assert.equal((await storedOffers(product)).length, 1);
    const [row] = await storedOffers(product);
    const change = (status: string) =>
      product.requestAsAdmin({
        method: 'PATCH',
        path: `/rest/v1/offers?id=eq.${row?.id}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      });
    assert.ok((await change('accepted')).status < 300);
    assertNoSecrets(
      (await change(PLANTED_OFFER.customer_email)).text,
      secretsOf(dataDir),
      'the rejection',
      true,
    );
    await product.request({
      path: `/rest/v1/offers?customer_email=eq.${PLANTED_OFFER.customer_email}`,
      headers: { apikey: PUBLIC_KEY },
    });
    await product.request({ path: `/${encodeURIComponent(PLANTED_OFFER.customer_name)}` });
  });

  test('logs contain no personal data when the backend ends during a request', async () => {
    const makeProof = proofMaker(dataKeys(dataDir).secretKey);
    const search = `/rest/v1/offers?customer_name=eq.${encodeURIComponent(PLANTED_OFFER.customer_name)}`;
    const statuses: number[] = [];
    // A solved proof: with a wrong one the database is never queried. Repeated until the kill hits an offer.
    for (let death = 0; death < 10 && !statuses.includes(503); death += 1) {
      const tokens = await Promise.all(Array.from({ length: 4 }, async () => encodeProof(await makeProof())));
      const calls = tokens.map((turnstile_token) =>
        product.call('order-submit', { ...PLANTED_OFFER, turnstile_token }),
      );
      await killPart(product.process, 'thread');
      await product.call('admin-auth', { email: PLANTED_OFFER.customer_email, password: ADMIN.password });
      await product.request({ path: search, headers: { apikey: PUBLIC_KEY } });
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
    }
    assert.ok(statuses.includes(503), `an offer met the end of the thread: ${statuses}`);
    assert.deepEqual(
      statuses.filter((status) => ![200, 201, 503].includes(status)),
      [],
    );
  });

  test('process arguments contain no secret, and other users cannot read the data folder', async () => {
    const pids = [product.process.pid ?? 0, ...childrenOf(product.process.pid ?? 0)];
    for (const pid of pids) assertNoSecrets(commandOf(pid), secretsOf(dataDir), 'a process’s arguments');
    assert.equal(statSync(dataDir).mode & 0o077, 0, 'the folder is for its owner alone');
    assert.equal(statSync(join(dataDir, 'secrets.json')).mode & 0o077, 0);
  });

  test('logs contain no secret, no token and no personal data', async () => {
    const token = await signIn(product.port).catch(() => '');
    assert.equal(await product.stop(), 0);
    assertNoSecretsInLog(product.log(), [...secretsOf(dataDir), ...(token ? [token] : [])], 'the log');
    const lines = product
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    assert.ok(lines.length >= 10, 'requests were logged');
    for (const line of lines) assert.ok(JSON.parse(line), 'one JSON object a line');
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
