/** Starting and stopping the product, as the owner at a terminal sees it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { run as exportOffers } from '../../commands/export.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import {
  botCheckToken,
  callFunction,
  makeOffer,
  openSession,
  readAllOffers,
  refreshStatus,
} from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { childrenOf } from '../support/processes.ts';
import {
  ADMIN,
  type Product,
  type ProductProcess,
  PUBLIC_KEY,
  startProduct,
  startProductProcess,
} from '../support/product.ts';
import { rawGet } from '../support/raw-get.ts';
import { runCommand } from '../support/run-command.ts';
import {
  assertOutput,
  fetchPage,
  headlineOf,
  isAlive,
  modeOf,
  NODE,
  newFolder,
  runTool,
  signInStatus,
  untilNobodyListens,
} from '../support/terminal.ts';

const NOBODY = 65_534;
/** Limit of tests with several starts, which may take over 60 s on a loaded machine. */
const SEVERAL_STARTS_TIMEOUT_MS = 180_000;
const ENDS = 'ends the product within seconds, after the offer in flight and not after endless ones';

before(() => {
  assert.equal(runTool('commands/build-if-needed.ts', [], {}).code, 0);
});

test('copies of the catalogue, which have its minimums, are for the user of the build alone', () => {
  for (const file of ['.astro/checked-catalogue.json', '.astro/cache/data-store.json'])
    assert.equal(modeOf(file), '600', file);
});

describe('starting', () => {
  test(`npm start prints every URL and writes the generated password to a file; the data folder is private; SIGINT ${ENDS}; a later ADMIN_PASSWORD replaces the password; another ADMIN_EMAIL adds an administrator; visits and begun offers are stored at a stop, and counted on`, {
    timeout: SEVERAL_STARTS_TIMEOUT_MS,
  }, async () => {
    // Empty, unlike those of other tests: this is a first boot.
    const dataDir = newFolder();
    chmodSync(dataDir, 0o755);
    const first = await startProductProcess({ dataDir, env: { ADMIN_PASSWORD: '' } });
    const { port } = first;
    const log = first.log();
    assert.match(log, /^Starting the backend …\n/);
    for (const name of ['sample.app', 'lap.app', 'site.example', 'host.example']) {
      assert.match(log, new RegExp(`^ {2}http://${name}.localhost:${port}$`, 'm'));
      assert.match(await fetchPage(port, `${name}.localhost`), headlineOf(name));
    }
    assert.match(log, new RegExp(`^ {2}http://localhost:${port}/admin$`, 'm'));
    assert.match(log, new RegExp(`^ {2}email: +${ADMIN.email}$`, 'm'));
    // Its output is no terminal: a log would keep the password.
    const file = /^ {2}password: in (\S+)\. Remove the file/m.exec(log)?.[1] ?? '';
    assert.equal(file, join(dataDir, 'admin-password.txt'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const made = readFileSync(file, 'utf8').trim();
    assert.ok(made.length >= 16, 'a long password');
    assert.ok(!log.includes(made), 'not in the log');
    rmSync(file);
    assert.equal(await signInStatus(first, made), 200);
    assert.equal(modeOf(dataDir), '700');
    assert.equal(modeOf(join(dataDir, 'secrets.json')), '600');
    assert.equal(modeOf(join(dataDir, 'commands.sock')), '600');
    await assertEnds(first, 'SIGINT');
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => /commands|password-set|building-|draft/.test(name)),
      [],
    );
    assertNowhereIn(dataDir, made);

    const second = await startProduct({ dataDir });
    assert.match(second.log(), /\(new password from ADMIN_PASSWORD\)/);
    assert.equal(await signInStatus(second, made), 401);
    assert.equal(await signInStatus(second, ADMIN.password), 200);
    assert.ok(!second.log().includes(ADMIN.password));
    const session = await openSession(second);
    await makeOffer(second);
    assert.doesNotMatch(second.log(), /Administrators:/);
    await visit(second, 2);
    await second.stop();
    assertNowhereIn(dataDir, ADMIN.password);

    // Another administrator.
    const env = { ADMIN_EMAIL: 'other@example.com', ADMIN_PASSWORD: '' };
    const third = await startProduct({ dataDir, env });
    assert.match(third.log(), /^ {2}email: +other@example\.com\n {2}password: in \S+admin-password\.txt\./m);
    assert.match(
      third.log(),
      new RegExp(`^ {2}Administrators: ${ADMIN.email}, other@example\\.com\\. Remove one with npm run`, 'm'),
    );
    assert.equal(await signInStatus(third, ADMIN.password), 200);
    assert.equal(await offersSeenWith(third, session.access_token), 2);
    assert.equal(await refreshStatus(third, session.refresh_token), 200);
    await visit(third, 1);
    await third.stop();

    const numbers = join(newFolder(), 'numbers.csv');
    const written = await runCommand(exportOffers, [numbers], { env: { DATA_DIR: dataDir } });
    assertOutput(written, 0, /^Wrote the numbers of 2 names to .* They hold no personal data\.$/);
    const [, ...rows] = readFileSync(numbers, 'utf8').trim().split('\r\n');
    const today = new Date().toISOString().slice(0, 10);
    assert.deepEqual(rows.sort(), [`host.example,${today},3,2,0,0`, `lap.app,${today},0,1,2,0`]);
  });

  test('npm start with a hosted project serves every host its page and starts no backend', async () => {
    const dataDir = join(newFolder(), 'none');
    const env = {
      SUPABASE_URL: 'https://name.supabase.example',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_hosted',
    };
    const product = await startProduct({ site: 'dist', dataDir, env });
    try {
      assert.match(await fetchPage(product.port, 'lap.app'), headlineOf('lap.app'));
      assert.match(
        await fetchPage(product.port, 'lap.app', '/sitemap.xml'),
        /<loc>https:\/\/lap\.app\/<\/loc>/,
      );
      assert.equal((await callFunction(product, 'bot-check')).status, 404);
      assert.doesNotMatch(product.log(), /password/i);
      assert.equal(existsSync(dataDir), false);
    } finally {
      await product.stop();
    }
  });
});

test('products of one process have their own logs and ends, and one that fails to start leaves nothing', async () => {
  const [dataDir, port] = [newDataFolder(newFolder()), await freePort()];
  const env = { PORT: String(port) };
  // The first is found before anything is served, the second after the port and the backend have been opened.
  for (const [wrong, message] of [
    [
      { ADMIN_HOST: 'www.lap.app' },
      /^ADMIN_HOST is “www\.lap\.app”, which is for sale \(lap\.app in the catalogue\)/,
    ],
    [{ ADMIN_PASSWORD: 'YourNextDomainAwaits!' }, /^ADMIN_PASSWORD is a common password, or easily guessed/],
  ] as const)
    await assert.rejects(startProduct({ dataDir, env: { ...env, ...wrong } }), {
      name: 'UserError',
      message,
    });
  const product = await startProduct({ dataDir, env });
  const other = await startProduct();
  const ready = (log: string) => log.match(/^Ready: .*/gm);
  assert.deepEqual(ready(product.log()), [`Ready: ${product.origin}`]);
  assert.deepEqual(ready(other.log()), [`Ready: ${other.origin}`]);
  await other.stop();
  await assert.rejects(callFunction(other, 'bot-check'));
  assert.equal((await callFunction(product, 'bot-check')).status, 200);
  await product.stop();
});

test('npm start fails beside a running product, and SIGTERM ends that one', {
  timeout: SEVERAL_STARTS_TIMEOUT_MS,
}, async (t) => {
  const running = await startProductProcess();
  t.after(() => running.stop());

  await t.test('npm start fails when the port is in use', async () => {
    const { port } = running;
    assert.equal(
      await rejection({ PORT: String(port) }),
      `Port ${port} is taken by another program. It may be this product, already running. ` +
        `Stop that one, or choose another port, as with PORT=${port + 1}.`,
    );
  });

  await t.test('npm start fails when another process uses the data folder', async () => {
    assert.equal(
      await rejection({ DATA_DIR: running.dataDir }),
      `The data folder ${running.dataDir} is in use by another process. ` +
        'Stop that one first, or name another folder with DATA_DIR.',
    );
    assert.equal((await callFunction(running, 'bot-check')).status, 200, 'the other one runs on');
  });

  await t.test(`SIGTERM ${ENDS}`, () => assertEnds(running, 'SIGTERM'));
});

test('npm start fails when the database files are damaged', async () => {
  const dataDir = newDataFolder();
  truncateSync(join(dataDir, 'database/global/pg_control'));
  assert.match(
    await rejection({ DATA_DIR: dataDir }),
    /^The database in .* cannot be opened .* put a backup there with npm run restore\.$/,
  );
  rmSync(dataDir, { recursive: true });
});

test('npm start fails when the data folder is not writable', async (t) => {
  const asRoot = process.getuid?.() === 0;
  if (asRoot && spawnSync(NODE, ['-e', ''], { uid: NOBODY }).status !== 0) {
    return t.skip('another user cannot read the project here');
  }
  // The build of this test is root's; an owner gives it to the user of the service.
  if (asRoot) chmodSync('dist/publication.json', 0o644);
  const dataDir = newFolder();
  chmodSync(dataDir, 0o555);
  assert.equal(
    await rejection({ DATA_DIR: dataDir }, asRoot ? NOBODY : undefined),
    `The data folder ${dataDir} cannot be written (EACCES). ` +
      'Make it writable for this user, or name another one with DATA_DIR.',
  );
});

for (const [setting, env, message] of [
  ['PORT', { PORT: 'abc' }, /^PORT is “abc”, but must be a whole number from 0 to 65535\.$/],
  // With a port of its own, since any free one is looked for at the end of the start.
  ['HOST', { HOST: '192.0.2.1', PORT: '45321' }, /^HOST is “192\.0\.2\.1”, which is not an address of this/],
  ['SUPABASE_URL', { SUPABASE_URL: 'https://name.supabase.co' }, /^SUPABASE_URL is set without SUPABASE_PUB/],
] as const) {
  test(`npm start fails when ${setting} is invalid`, async () => {
    assert.match(await rejection(env), message);
  });
}

/** Ends a product with a signal, in the middle of requests. */
async function assertEnds(product: ProductProcess, signal: NodeJS.Signals): Promise<void> {
  const { pid = 0 } = product.process;
  assert.deepEqual(childrenOf(pid), [], 'the backend is a thread');
  const body = JSON.stringify({
    domain_name: 'lap.app',
    offer_amount: '1,000 €',
    customer_name: 'Grace Hopper',
    customer_email: 'grace@example.com',
    turnstile_token: await botCheckToken(product),
  });
  const offer = await beginSending(product, body);
  const idle = connect(product.port, '127.0.0.1').on('error', () => {});
  const endless = await beginSending(product, JSON.stringify({ domain_name: 'lap.app' }));

  const sent = performance.now();
  const exited = once(product.process, 'exit');
  process.kill(pid, signal);
  await untilNobodyListens(product.port);
  assert.equal(await offer.finish(), 201);
  const [code] = await exited;
  assert.equal(code, 0);
  // It was cut off before the 5 s that a body has, after which its response is 408.
  await assert.rejects(endless.status, { code: 'ECONNRESET' });
  assert.ok(performance.now() - sent < 30_000, 'it waits for no idle connection');
  assert.ok(!isAlive(pid));
  idle.destroy();

  assert.deepEqual(
    (await readAllOffers(product)).map(({ customer_name }) => customer_name),
    ['Grace Hopper'],
  );
}

/** Opens a domain's page as a browser does, and begins one offer for the domain. */
async function visit(product: Product, times: number): Promise<void> {
  const headers = {
    host: 'localhost',
    'sec-fetch-dest': 'document',
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/145.0',
  };
  for (let visits = 0; visits < times; visits += 1)
    assert.equal((await rawGet(product.port, '/sites/host.example/', headers)).status, 200);
  assert.equal((await callFunction(product, 'bot-check?domain=host.example')).status, 200);
}

/** Counts the offers that the data API returns for a token. */
async function offersSeenWith({ origin }: Product, accessToken: string): Promise<number> {
  const response = await fetch(`${origin}/rest/v1/offers`, {
    headers: { apikey: PUBLIC_KEY, authorization: `Bearer ${accessToken}` },
  });
  return ((await response.json()) as unknown[]).length;
}

/** Returns the output of an `npm start` that exits by itself, which it must with code 1. */
async function rejection(env: Record<string, string>, uid?: number): Promise<string> {
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'commands/start.ts'], {
    env: { ...BASE_ENV, PORT: '0', DATA_DIR: newFolder(), ...env },
    ...(uid === undefined ? {} : { uid }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  // One that starts would run on.
  child.stdout.on('data', () => text.includes('\nReady: ') && child.kill());
  const code = await new Promise((done) => child.once('close', done));
  assert.equal(code, 1, text);
  assert.doesNotMatch(text, /^ +at /m, 'a stack means nothing to the owner');
  return text.replace('Starting the backend …\n', '').trim();
}

/** Greps every file of a folder. */
function assertNowhereIn(folder: string, secret: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    assert.ok(!readFileSync(file).includes(secret), `${file} holds the password`);
  }
}

/** Sends an offer except its last character. `finish` sends that and returns the status. */
async function beginSending(product: Product, body: string) {
  const bytes = Buffer.from(body);
  const sending = send(`${product.origin}/functions/v1/order-submit`, {
    method: 'POST',
    headers: {
      apikey: PUBLIC_KEY,
      'content-type': 'application/json',
      'content-length': bytes.byteLength,
      // The 100 response shows that the request has arrived.
      expect: '100-continue',
    },
  });
  const status = new Promise<number | undefined>((done, fail) => {
    sending.on('response', (response) => done(response.resume().statusCode)).on('error', fail);
  });
  status.catch(() => {});
  await new Promise((done) => sending.once('continue', done).flushHeaders());
  sending.write(bytes.subarray(0, -1));
  return {
    status,
    finish: () => {
      sending.end(bytes.subarray(-1));
      return status;
    },
  };
}
