/**
 * From a bare Debian root to the first offer that is mailed, over TLS by Caddy, in three commands after the packages; then to a
 * later version and back. Needs root, a network and `debootstrap`, takes minutes, and is run by hand and for each release:
 *
 *   node tests/container/from-nothing.ts
 *
 * It installs the last commit, as the tag of this version. Node is this project's, since not every Debian has one that is new enough.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../config/version.ts';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { makeOffer } from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { childrenOf } from '../support/processes.ts';
import { headlineOf, waitUntil } from '../support/terminal.ts';
import { watchChild } from '../support/watch-child.ts';
import { addNode, type Built, makeDebian, missingForRoots, npmEnv, runIn, startIn } from './root.ts';

const NAME = 'lap.app';
const NEXT_VERSION = '999.0.0';
const PROJECT = '/opt/domain-storefront';
const PACKAGES = ['ca-certificates', 'caddy', 'git'];
const MAX_SECONDS = 300;

const missing = missingForRoots();
if (missing !== undefined) throw new Error(`Not run: ${missing}.`);
const folder = mkdtempSync(join(tmpdir(), 'from-nothing-'));
const root = join(folder, 'root');
const running: { stop(): Promise<unknown> }[] = [];
try {
  makeDebian(root, PACKAGES);
  addNode(root);
  makeRepository(join(root, 'srv/storefront.git'));
  await run();
} finally {
  for (const { stop } of running) await stop();
  rmSync(folder, { recursive: true, force: true });
}
// What still listens would keep this process.
process.exit();

async function run(): Promise<void> {
  await using smtp = await startSmtpServer();
  const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...npmEnv(),
    PORT: String(port),
    DATA_DIR: '/var/lib/domain-storefront',
    TRUSTED_PROXIES: '1',
    SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
    MAIL_FROM: 'offers@example.com',
    MAIL_TO: 'owner@example.com',
  };
  const place: Built = {
    ...{ root, env, folder: '/', user: 'root', command: [], healthCheck: [], volumes: [] },
  };
  const project = { ...place, folder: PROJECT };
  const inProject = (command: string) => runIn(place, ['sh', '-c', `cd ${PROJECT} && ${command}`]);
  const npmStart = async () => {
    const product = start(project, ['npm', 'start']);
    await waitUntilReady(product.log);
    return product;
  };

  const begin = performance.now();
  runIn(place, ['git', 'clone', '--quiet', '--branch', `v${VERSION}`, '/srv/storefront.git', PROJECT]);
  let product = await npmStart();
  // Where Let's Encrypt reaches it, the file is taken as it is.
  const caddyfile = readFileSync(join(root, PROJECT, 'docs/deploy/Caddyfile'), 'utf8').replace(
    '{\n',
    `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1\n\tlocal_certs\n\tskip_install_trust\n`,
  );
  writeFileSync(join(root, 'etc/caddy/Caddyfile'), caddyfile);
  const caddy = { ...place, env: { HOME: '/root', STOREFRONT: `127.0.0.1:${port}` } };
  start(caddy, ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile']);
  const origin = await overTls(httpsPort);
  const page = await fetch(origin);
  assert.match(await page.text(), headlineOf(NAME));
  const visitor = { port, origin, dataDir: '', process, log: product.log, stop: product.stop } as never;
  await makeOffer(visitor, { customer_name: 'The first' });
  await waitUntil(() => smtp.mails.length > 0, product.log());
  assert.match(smtp.mails[0]?.parsed.text ?? '', /The first/);
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(`From the packages to the first mail: ${seconds} s, 3 commands.`);
  assert.ok(seconds <= MAX_SECONDS);

  inProject('npm run --silent backup -- /root/before.backup');
  inProject(`git fetch --quiet --tags && git checkout --quiet v${NEXT_VERSION}`);
  await product.stop();
  product = await npmStart();
  await makeOffer(visitor, { customer_name: 'After the update' });
  inProject('npm run --silent export -- /root/since.json');
  assert.deepEqual(namesIn('/root/since.json'), ['After the update', 'The first']);

  inProject(`git checkout --quiet v${VERSION}`);
  await product.stop();
  const rejected = start(project, ['npm', 'start']);
  await rejected.exited;
  assert.match(rejected.log(), new RegExp(`was written by version ${NEXT_VERSION.replaceAll('.', '\\.')} `));
  renameSync(join(root, 'var/lib/domain-storefront'), join(root, 'var/lib/newer'));
  inProject('npm run --silent restore -- /root/before.backup');
  product = await npmStart();
  await makeOffer(visitor, { customer_name: 'Back again' });
  inProject('npm run --silent export -- /root/back.json');
  assert.deepEqual(namesIn('/root/back.json'), ['Back again', 'The first']);
  console.log(`Updated to ${NEXT_VERSION} and back: no offer is lost.`);
}

/** A repository with this version's tag, and that of a next one with one more migration. */
function makeRepository(repository: string): void {
  const work = join(folder, 'work');
  const git = (cwd: string, ...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'safe.directory=*'];
    execFileSync('git', [...who, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  git('.', 'clone', '--quiet', '--no-tags', '.', work);
  git(work, 'tag', `v${VERSION}`);
  const manifest = join(work, 'package.json');
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace(`"version": "${VERSION}"`, `"version": "${NEXT_VERSION}"`),
  );
  writeFileSync(
    join(work, 'supabase/migrations/29991231000000_next.sql'),
    'alter table private.erasures add column note text;\n',
  );
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', 'Make the next version');
  git(work, 'tag', `v${NEXT_VERSION}`);
  mkdirSync(join(repository, '..'), { recursive: true });
  git('.', 'clone', '--quiet', '--bare', work, repository);
}

/** Starts a command, whose process gets SIGTERM at the end. */
function start(built: Built, command: string[]) {
  const child = startIn(built, command, {});
  const { log, exited } = watchChild(child);
  const stop = async () => {
    for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, 'SIGTERM');
    await exited;
  };
  running.push({ stop });
  return { log, exited, stop };
}

/** npm ci and a first build take longer than other waits of tests. */
async function waitUntilReady(log: () => string): Promise<void> {
  for (let minute = 1; !log().includes('Ready: '); minute += 1) {
    await waitUntil(() => log().includes('Ready: '), log()).catch((error) => {
      if (minute === 5) throw error;
    });
  }
}

/** A port that sends requests on as a browser at the name would, and the origin of it. */
async function overTls(port: number): Promise<string> {
  const authority = join(root, 'root/.local/share/caddy/pki/authorities/local/root.crt');
  const options = { host: '127.0.0.1', port, servername: NAME };
  const send = (path = '/', method = 'GET', headers = {}) =>
    request({ ...options, path, method, headers: { ...headers, host: NAME }, ca: readFileSync(authority) });
  await waitUntil(
    () =>
      new Promise((done) => {
        try {
          send()
            .once('response', (response) => done(response.resume().statusCode === 200))
            .once('error', () => done(false))
            .end();
        } catch {
          done(false);
        }
      }),
  );
  const server = createServer((incoming, response) => {
    const onward = send(incoming.url, incoming.method, incoming.headers).once('response', (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    incoming.pipe(onward.once('error', () => response.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Customers in an export, newest first. */
function namesIn(file: string): string[] {
  const offers: { customer_name: string }[] = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return offers.map(({ customer_name: name }) => name);
}
