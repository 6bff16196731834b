/**
 * The table of hosts on Cloudflare's own runtime: Wrangler bundles the Worker as for a deployment, workerd runs it without
 * a network, with wrangler.jsonc. Its responses are compared with those of the Node server for the same build.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { installWrangler } from '../../commands/worker/wrangler.ts';
import { createGateway } from '../../server/http/gateway.ts';
import { loadOnDemand } from '../../server/pages/on-demand.ts';
import { openStaticPages } from '../../server/pages/static-pages.ts';
import { ADMIN_HEADERS, headersOf, SECURITY_HEADERS } from '../../src/serving/headers.ts';
import { ADMIN_HOST_OF_TABLE, CATALOGUE_OF_HOSTS, HOST_CASES, type HostCase } from '../support/host-cases.ts';
import { copyOfProject } from '../support/product.ts';
import { type LiteralResponse, sendLiterally } from '../support/send-literally.ts';

/** Limit of the minified bundle without the catalogue's data, in bytes, and gzipped. */
const MAX_BUNDLE_BYTES = 13_000;
const MAX_GZIPPED_BYTES = 5_200;

/** What the platform or the missing backend changes, by case. */
const DIFFERENCES: Readonly<Record<string, { reason: string; status: number; shows?: string }>> = {
  brotli: { reason: 'Cloudflare chooses the encoding', status: 200, shows: 'sites/lap.app/index.html' },
  '/health': { reason: 'no process to report on', status: 404, shows: '404-for-sale/index.html' },
  'the backend': { reason: 'the backend is a hosted project on its own host', status: 404 },
  'two hosts': { reason: 'workerd fails before the Worker; Cloudflare rejects such requests', status: 500 },
  'a host with a blank': { reason: 'as with two hosts', status: 500 },
  'traversal to a page': {
    reason: 'Cloudflare resolves the path before the Worker sees it',
    status: 200,
    shows: 'sites/lap.app/index.html',
  },
};

/** What a browser loads with a page: the icon, at least. */
const LOADED =
  /<(?:script|img|iframe|link rel="?(?:icon|stylesheet|preload|modulepreload)"?)\b[^>]*\s(?:src|href)="?([^"\s>]+)/g;

/** Headers of our definition. */
const DEFINED = [
  ...Object.keys({
    ...SECURITY_HEADERS,
    ...ADMIN_HEADERS,
    ...headersOf('/', { everywhere: '', pages: {} }),
  }),
  ...['strict-transport-security', 'clear-site-data', 'content-encoding', 'allow', 'location'],
];

const project = copyOfProject();
const stops: (() => unknown)[] = [];
/** Of the build. */
let folder = '';
let script = '';
let ports = { worker: 0, node: 0 };
/** Settings of the build and of its deployment. */
const catalogue = join(project.folder, 'hosts.yaml');
const ENV = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  CATALOGUE: catalogue,
  ADMIN_HOST: ADMIN_HOST_OF_TABLE,
  SUPABASE_URL: 'https://project.supabase.example',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_test',
};

before(async () => {
  // Here, with npm's own settings, which the command below does not get.
  await installWrangler();
  for (const name of ['worker', 'wrangler.jsonc']) {
    cpSync(name, join(project.folder, name), { recursive: true });
  }
  writeFileSync(catalogue, JSON.stringify(CATALOGUE_OF_HOSTS));
  for (const command of [['build-if-needed.ts'], ['deploy-worker.ts', '--dry-run']]) {
    const [file = '', ...options] = command;
    const { status } = spawnSync(
      resolve('node_modules/.bin/node'),
      ['--disable-warning=ExperimentalWarning', `commands/${file}`, ...options],
      { cwd: project.folder, stdio: ['ignore', 'inherit', 'inherit'], env: ENV },
    );
    assert.equal(status, 0, file);
  }
  folder = realpathSync(join(project.folder, 'dist'));
  script = `_astro/${readdirSync(join(folder, 'client/_astro')).find((name) => name.endsWith('.js'))}`;
  const workerd = await startWorkerd(project.folder);
  const server = createGateway({
    pages: openStaticPages(folder, ADMIN_HOST_OF_TABLE, await loadOnDemand(folder)),
    backend: undefined,
    health: async () => ({ status: 'ok', problems: [] }) as never,
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(workerd.stop, () => server.close());
  ports = { worker: workerd.port, node: (server.address() as AddressInfo).port };
});
after(async () => {
  for (const stop of stops) await stop();
  project.remove();
});

test('the Worker sends the page, status and headers of the Node server', async () => {
  const problems: string[] = [];
  for (const one of HOST_CASES) {
    const difference = DIFFERENCES[one.what];
    const expected = difference ? { ...one, shows: undefined, expects: {}, ...difference } : one;
    const response = await send(ports.worker, one);
    const node = difference ? undefined : await send(ports.node, one);
    for (const problem of problemsOf(expected, response, node)) {
      problems.push(`${one.what} (${one.host}${one.path}): ${problem}`);
    }
  }
  assert.deepEqual(problems, []);
  const cases = new Set(HOST_CASES.map(({ what }) => what));
  assert.deepEqual(
    Object.keys(DIFFERENCES).filter((what) => !cases.has(what)),
    [],
  );
});

test('a page is one request, and 304 when the browser has it', async () => {
  const first = await send(ports.worker, { host: 'lap.app', path: '/' });
  const loaded = [...first.body.toString().matchAll(LOADED)].map(([, file]) => file);
  assert.ok(loaded.length > 0 && loaded.every((file) => file?.startsWith('data:')), loaded.join(' '));
  const headers = { 'if-none-match': first.headers.etag ?? '' };
  const again = await send(ports.worker, { host: 'lap.app', path: '/', headers });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test('the Worker is small, and the upload has no compressed file', () => {
  const made = join(project.folder, '.astro/worker');
  const bundle = readFileSync(join(made, 'bundle/entry.js'));
  const compressed = readdirSync(join(made, 'client'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:br|gz)$/.test(name),
  );
  assert.deepEqual(compressed, []);
  assert.ok(bundle.length <= MAX_BUNDLE_BYTES, `${bundle.length} bytes`);
  assert.ok(gzipSync(bundle).length <= MAX_GZIPPED_BYTES, `${gzipSync(bundle).length} bytes gzipped`);
});

// The last one, because it makes the Worker's folder anew.
test('a deployment that Cloudflare does not respond to fails with what to do', () => {
  const { status, stderr } = spawnSync(
    resolve('node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', 'commands/deploy-worker.ts'],
    {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: {
        ...ENV,
        CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
        CLOUDFLARE_API_TOKEN: 'x'.repeat(40),
        CLOUDFLARE_ACCOUNT_ID: 'a'.repeat(32),
      },
    },
  );
  assert.equal(status, 1);
  assert.match(stderr, /Wrangler failed \(see above\)\. .*visitors get the Worker as it was\.\n/);
});

function send(
  port: number,
  { host, path, headers = {}, method }: Pick<HostCase, 'host' | 'path' | 'headers' | 'method'> | HostCase,
): Promise<LiteralResponse> {
  return sendLiterally(port, {
    method: method ?? 'GET',
    target: path.replace('{script}', script),
    headers: [...[host].flat().map((one) => ['host', one] as const), ...Object.entries(headers)],
  });
}

function problemsOf(
  one: Omit<HostCase, 'shows'> & { shows?: string | undefined },
  response: LiteralResponse,
  node: LiteralResponse | undefined,
): string[] {
  if (one.status === '4xx')
    return Math.floor(response.status / 100) === 4 ? [] : [`status ${response.status}`];
  const problems: string[] = [];
  if (response.status !== one.status) problems.push(`status ${response.status}, not ${one.status}`);
  // Cloudflare compresses by itself.
  const file = one.shows?.replace('{script}', script).replace(/\.(?:br|gz)$/, '');
  const body = one.method === 'HEAD' ? Buffer.alloc(0) : file && readFileSync(join(folder, 'client', file));
  if (body && !decompressed(response).equals(body)) problems.push(`not ${file}`);
  const known = node && Object.fromEntries(DEFINED.map((name) => [name, node.headers[name]]));
  for (const [name, value] of Object.entries({ ...known, ...one.expects })) {
    if (response.headers[name] !== value) problems.push(`${name}: ${response.headers[name]}, not ${value}`);
  }
  return problems;
}

function decompressed({ headers, body }: LiteralResponse): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/** What is used of Wrangler and of Miniflare, which starts workerd. Their types are not installed. */
interface Wrangler {
  unstable_getMiniflareWorkerOptions(config: string): { workerOptions: object };
}
interface MiniflareModule {
  convertV4MiniflareOptions(options: object): object;
  Miniflare: new (options: object) => { ready: Promise<URL>; dispose(): Promise<void> };
}

/** Runs the bundle of `npm run deploy:worker -- --dry-run` with wrangler.jsonc. It requests nothing from the network. */
async function startWorkerd(project: string): Promise<{ port: number; stop(): Promise<void> }> {
  const load = createRequire(join(await installWrangler(), 'any.js'));
  const { unstable_getMiniflareWorkerOptions } = load('wrangler') as Wrangler;
  const { convertV4MiniflareOptions, Miniflare } = load('miniflare') as MiniflareModule;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(project, 'wrangler.jsonc'));
  const modulesRoot = join(project, '.astro/worker/bundle');
  const modules = [{ type: 'ESModule', path: join(modulesRoot, 'entry.js') }];
  const worker = { ...workerOptions, name: 'site', modules, modulesRoot };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ host: '127.0.0.1', port: 0, cf: false, workers: [worker] }),
  );
  const { port } = await miniflare.ready;
  return { port: Number(port), stop: () => miniflare.dispose() };
}
