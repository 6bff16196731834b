/**
 * The image of the Dockerfile, made in fresh Debian roots and started as Docker would. Takes minutes and needs root, a
 * network and `debootstrap`: `npm run test:container`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SAMPLE_CATALOGUE } from '../../src/catalogue/catalogue-file.ts';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { childrenOf } from '../support/processes.ts';
import { ADMIN } from '../support/product.ts';
import { fetchPage, headlineOf, waitUntil } from '../support/terminal.ts';
import { readDockerfile } from './dockerfile.ts';
import { addNode, type Built, buildStage, makeDebian, missingForRoots, runIn, startIn } from './root.ts';

const OWN_NAME = 'contained.example';
/** Number of the image's user. */
const USER = 1_000;
/** Of the image besides Debian. */
const MAX_MEGABYTES = 600;

const missing = missingForRoots();
const folder = mkdtempSync(join(tmpdir(), 'container-'));
let image: Built;

before(() => {
  if (missing !== undefined) return;
  const debian = join(folder, 'debian');
  makeDebian(debian);
  const stages = new Map<string, Built>();
  for (const stage of readDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    const root = join(folder, `stage-${stages.size}`);
    assert.equal(spawnSync('cp', ['-a', debian, root]).status, 0);
    if (stage.image.startsWith('node:24')) addNode(root);
    image = buildStage(stage, root, stages);
    stages.set(stage.name, image);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the image has no test, source map or package for development, and is owned by root', (context) => {
  if (missing !== undefined) return context.skip(missing);
  const files = readdirSync(join(image.root, 'app'), { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => !file.startsWith('node_modules/'));
  assert.deepEqual(
    own.filter((file) => /\.test\.|\.fixture\.|^(?:tests|bench|docs)\b/.test(file)),
    [],
  );
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map')),
    [],
  );
  for (const name of ['typescript', '@playwright', '@biomejs', 'knip', 'npm']) {
    assert.ok(!files.includes(`node_modules/${name}`), name);
  }
  const writable = ['find', '/', '-xdev', '-path', '/proc', '-prune', '-o', '-user', image.user, '-print'];
  assert.deepEqual(
    runIn({ ...image, user: 'root' }, writable)
      .trim()
      .split('\n')
      .sort(),
    [...['/app/.astro', '/app/.builds', '/app/own', '/data']],
  );
  const size = runIn({ ...image, user: 'root' }, ['du', '-sm', '/app']);
  context.diagnostic(`/app has ${Number.parseInt(size, 10)} MB`);
  assert.ok(Number.parseInt(size, 10) <= MAX_MEGABYTES, size);
});

test('a container builds the owner’s catalogue, takes an offer, and has it after a restart', async (context) => {
  if (missing !== undefined) return context.skip(missing);
  assert.deepEqual(image.volumes, ['/app/own', '/data']);
  writeFileSync(
    join(image.root, 'app/own/catalogue.yaml'),
    `${readFileSync(SAMPLE_CATALOGUE, 'utf8').trimEnd()}\n\n  - name: ${OWN_NAME}\n    price: $1\n    description: One.\n    hasBroker: true\n`,
  );
  const port = await freePort();
  const settings = { PORT: String(port), ADMIN_PASSWORD: ADMIN.password, ADMIN_EMAIL: ADMIN.email };
  const product = { port, origin: `http://localhost:${port}`, dataDir: join(image.root, 'data') };

  const first = start(image, settings);
  assert.throws(() => runIn(image, image.healthCheck, settings), 'not healthy before it listens');
  await waitUntil(() => first.log().includes('Ready: '), first.log());
  runIn(image, image.healthCheck, settings);
  assert.match(await fetchPage(port, OWN_NAME), headlineOf(OWN_NAME));
  assert.deepEqual(first.users(), [USER], 'no process is root');
  await makeOffer({ ...product, log: first.log, stop: first.stop });
  assert.equal(await first.stop(), 0);

  const second = start(image, settings);
  await waitUntil(() => second.log().includes('Ready: '), second.log());
  assert.doesNotMatch(second.log(), /Building the pages/);
  const offers = await readAllOffers(product);
  assert.deepEqual(
    offers.map(({ customer_name }) => customer_name),
    ['Ada Lovelace'],
  );
  assert.equal(await second.stop(), 0);
});

/** Starts the image's command; `stop` sends SIGTERM to it, as Docker does. */
function start(built: Built, env: Record<string, string>) {
  const child = startIn(built, built.command, env);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const server = () => childrenOf(child.pid ?? 0)[0] ?? 0;
  return {
    process: child,
    log: () => log,
    /** The user of each process. */
    users: () =>
      [server(), ...childrenOf(server())].map((pid) =>
        Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
      ),
    stop: () => {
      process.kill(server(), 'SIGTERM');
      return exited;
    },
  };
}
