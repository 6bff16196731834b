/**
 * Compares nginx with the configuration of a build with nginx and bare files, and the product through nginx with a bare
 * Node server through nginx: everything but the load on one core.
 */
import { join } from 'node:path';
import { startProduct } from '../tests/support/product.ts';
import { configure } from '../tests/support/web-servers.ts';
import { makeCatalogue } from './catalogue.ts';
import { headersOf, httpChecksOf } from './http-checks.ts';
import { largeProject } from './large-project.ts';
import { ENCODINGS, type Encoding, type Load, load, pin, SERVER_CORE } from './load.ts';
import { hasBrotli, startNginx, startNginxWith } from './nginx.ts';
import { startNodeHttp } from './node-http.ts';
import type { PeerServer } from './peer-server.ts';
import { atMost, type Goal, median, quantile, type Row, ratioAtLeast } from './rows.ts';
import { missingTools } from './tools.ts';

/** Alternating rounds. Many short ones, because other programs disturb some of them. */
const ROUNDS = 7;
const ROUND_SECONDS = 1;
/** Requests to /tls/ask. */
const ASKED = 500;
const GOAL_FILES: Goal = ratioAtLeast(0.95);

export async function measureWebServers(domains: number): Promise<Row[]> {
  if (missingTools('nginx', 'wrk', 'taskset').length > 0) return [];
  console.log(`Building ${domains} domains …`);
  const { folder, catalogue } = await largeProject(domains);
  const names = makeCatalogue(domains).map(({ name }) => name);
  const [, name = ''] = names;
  const path = `/sites/${name}/`;
  const product = await startProduct({
    project: folder,
    env: { CATALOGUE: catalogue, TRUSTED_PROXIES: '1' },
  });
  const servers: PeerServer[] = [];
  const started = async (server: Promise<PeerServer>) => {
    servers.push(await server);
    return await server;
  };
  try {
    pin(product.process.pid ?? 0);
    const url = `${product.origin}${path}`;
    const files = await started(startNginxWith((port) => withFiles(folder, product.port, port), SERVER_CORE));
    const bare = await started(startNginx(join(folder, 'dist/client'), await headersOf(url), SERVER_CORE));
    const headless = await started(startNginx(join(folder, 'dist/client'), [], SERVER_CORE));
    const proxied = await started(startNginxWith((port) => proxy(product.port, port), SERVER_CORE));
    const nodeHttp = await started(startNodeHttp(url, SERVER_CORE));
    const proxiedNode = await started(startNginxWith((port) => proxy(nodeHttp.port, port), SERVER_CORE));
    const checks = await httpChecksOf(`http://127.0.0.1:${files.port}${path}`);
    return [
      ...checks.map((row) => ({ ...row, area: 'web-servers', what: `nginx with files: ${row.what}` })),
      ...(await compare(
        'nginx, one page by its path',
        [files, path],
        [bare, path],
        'bare files',
        ENCODINGS,
        GOAL_FILES,
      )),
      ...(await compare(
        'nginx, one page by its host',
        [files, '/', name],
        [bare, path],
        'bare files',
        ['br'],
        GOAL_FILES,
      )),
      ...(await compare(
        'nginx, pages at random',
        [files, names],
        [bare, names],
        'bare files',
        ['br'],
        GOAL_FILES,
      )),
      ...(await compare('nginx, headers alone', [bare, path], [headless, path], 'bare files, no headers', [
        'br',
      ])),
      ...(await compare('through nginx, one page', [proxied, path], [proxiedNode, path], 'node-http', [
        'br',
      ])),
      await timeOfAsking(product.origin, name),
    ];
  } finally {
    for (const server of servers) await server.stop();
    await product.stop();
  }
}

function withFiles(project: string, node: number, port: number): string {
  const deploy = configure(project, ['true']);
  return `${upstream(node)} include ${deploy}/nginx-http.conf;
  server { listen 127.0.0.1:${port}; ${hasBrotli() ? 'brotli_static on;' : ''} include ${deploy}/nginx-server.conf; }`;
}

function proxy(node: number, port: number): string {
  return `${upstream(node)}
  server { listen 127.0.0.1:${port};
    location / {
      proxy_pass http://storefront; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`;
}

function upstream(node: number): string {
  return `upstream storefront { server 127.0.0.1:${node}; keepalive 32; keepalive_requests 100000000; keepalive_timeout 10s; }`;
}

type Loaded = readonly [server: PeerServer, pages: string | string[], host?: string];

/** Measures alternating rounds; rows show the pair with the median ratio. On a busy machine the processor time says more than the requests a second. */
async function compare(
  what: string,
  ours: Loaded,
  theirs: Loaded,
  name: string,
  encodings: readonly Encoding[],
  goal?: Goal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const encoding of encodings) {
    console.log(`${what}, ${encoding} …`);
    const pairs: [ours: Load, theirs: Load][] = [];
    const run = ([{ port, pids }, pages, host]: Loaded) =>
      load(port, pids, encoding, pages, host, ROUND_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = round % 2 === 0 ? await run(ours) : undefined;
      const their = await run(theirs);
      pairs.push([first ?? (await run(ours)), their]);
    }
    const row = (unit: string, field: keyof Load): Row => {
      const [our, their] = medianPair(pairs.map(([one, other]) => [one[field], other[field]] as const));
      return {
        area: 'web-servers',
        what: `${what}, ${encoding}, ${unit}`,
        ours: our,
        peer: { name, value: their },
      };
    };
    rows.push(
      { ...row('requests a second', 'perSecond'), ...(goal && { goal }) },
      row('µs of processor a request', 'cpu'),
    );
  }
  return rows;
}

function medianPair(pairs: readonly (readonly [number, number])[]): readonly [number, number] {
  const middle = quantile(
    pairs.map(([ours, theirs]) => ours / theirs),
    0.5,
  );
  return pairs.find(([ours, theirs]) => ours / theirs === middle) ?? [Number.NaN, Number.NaN];
}

async function timeOfAsking(origin: string, name: string): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < ASKED; n += 1) {
    const start = performance.now();
    await (await fetch(`${origin}/tls/ask?domain=www.${name}`)).text();
    times.push(performance.now() - start);
  }
  return { area: 'web-servers', what: '/tls/ask, ms (median)', ours: median(times), goal: atMost(5) };
}
