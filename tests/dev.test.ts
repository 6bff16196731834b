/** `npm run dev`: the same product with hot reload. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { childrenOf } from './abuse/processes.ts';
import { callFunction } from './calls.ts';
import { freePort } from './free-port.ts';
import { ADMIN, copyOfProject, type Product } from './product.ts';
import { headlineOf, isAlive, NODE, newFolder, PLAIN, pageAt, until } from './terminal.ts';

describe('npm run dev', () => {
  const project = copyOfProject();
  const file = join(project.folder, 'src/content/catalogue.yaml');
  const catalogue = readFileSync(file, 'utf8');
  let child: ChildProcess;
  let port: number;
  let log = '';

  before(async () => {
    port = await freePort();
    child = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'scripts/dev.ts'], {
      cwd: project.folder,
      env: {
        ...PLAIN,
        PORT: String(port),
        DATA_DIR: newFolder(),
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log += text));
    await until(() => log.includes(`Ready: http://localhost:${port}`), log);
  });
  after(() => {
    child.kill('SIGKILL');
    project.remove();
  });

  test('serves pages by host name, the desk and the functions on one origin', async () => {
    assert.match(await pageAt(port, 'localhost'), headlineOf(undefined));
    assert.match(await pageAt(port, 'www.lap.app'), headlineOf('lap.app'));
    assert.match(await pageAt(port, 'LAP.app.localhost'), headlineOf('lap.app'));
    assert.match(
      await pageAt(port, 'lap.app', '/de/'),
      /<html lang="de">.*<strong[^>]*>lap<wbr\/?>\.app<\/strong>/s,
    );
    assert.match(
      await pageAt(port, 'localhost', '/de/'),
      /<html lang="de">.*<strong[^>]*>Premium-Domain<\/strong>/s,
    );
    assert.match(await pageAt(port, 'localhost', '/admin'), /<title>Admin Access<\/title>/);
    assert.equal((await callFunction(dev(), 'bot-check')).status, 200);
    assert.equal((await callFunction(dev(), 'admin-auth', ADMIN)).status, 200);
  });

  test('tells a mistake in the catalogue here and on the page, and goes on taking offers', async () => {
    writeFileSync(file, `${catalogue}\n  - { nmae: fresh.example }\n`);
    const mistake = /entry 5, field nmae is not a known field/;
    await until(() => mistake.test(log), log);
    assert.match(await pageAt(port, 'lap.app'), mistake);
    assert.equal(await refusalOfOffer('lap.app'), 'bot_check_failed');
    assert.equal(await refusalOfOffer('fresh.example'), 'unknown_domain');
  });

  test('carries a new domain to its page and to the offers that are taken', async () => {
    const entry = '{ name: fresh.example, price: $1, description: Brand new., hasBroker: false }';
    const save = () => writeFileSync(file, `${catalogue}\n  - ${entry}\n`);
    save();
    // The system may drop the news of a change so soon after another. A person would save again, too.
    const again = setInterval(save, 8_000);
    try {
      await until(async () => headlineOf('fresh.example').test(await pageAt(port, 'fresh.example')), log);
      await until(async () => (await refusalOfOffer('fresh.example')) === 'bot_check_failed', log);
    } finally {
      clearInterval(again);
    }
  });

  test('ends with Ctrl-C, which reaches every process, and leaves none behind', async () => {
    const processes = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
    assert.ok(processes.length >= 3, 'this one, database and functions');
    const exited = new Promise((done) => child.once('exit', done));
    for (const pid of processes) process.kill(pid, 'SIGINT');
    assert.equal(await exited, 0);
    assert.deepEqual(processes.filter(isAlive), []);
  });

  function dev(): Pick<Product, 'origin'> {
    return { origin: `http://localhost:${port}` };
  }

  /** Why an offer without a bot check is refused. */
  async function refusalOfOffer(domain: string): Promise<string | undefined> {
    const response = await callFunction(dev(), 'order-submit', {
      domain_name: domain,
      offer_amount: '1',
      customer_name: 'Ada',
      customer_email: 'ada@example.com',
      turnstile_token: 'none',
    });
    return ((await response.json()) as { code?: string }).code;
  }
});

test('npm run dev with a hosted project starts no backend, and says where it answers itself', async () => {
  const project = copyOfProject();
  const dataDir = join(newFolder(), 'none');
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'scripts/dev.ts'], {
    cwd: project.folder,
    env: {
      ...PLAIN,
      PORT: '0',
      DATA_DIR: dataDir,
      SUPABASE_URL: 'https://name.supabase.example',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_hosted',
    },
  });
  try {
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
    await until(() => /^Administrator:\n.*\n/m.test(log), log);
    const port = Number(/^Ready: http:\/\/localhost:(\d+)$/m.exec(log)?.[1]);
    assert.match(await pageAt(port, 'lap.app'), headlineOf('lap.app'));
    assert.doesNotMatch(log, /password/);
    assert.equal((await callFunction({ origin: `http://localhost:${port}` }, 'bot-check')).status, 404);
    assert.equal(existsSync(dataDir), false);
    const exited = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
  } finally {
    child.kill('SIGKILL');
    project.remove();
  }
});
