/**
 * Compares the built-in server with nginx, and behind nginx with a bare Node server: one core each, the same bytes and
 * headers, another core for the load.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { type Product, startProductProcess } from '../tests/support/product.ts';
import { makeCatalogue } from './catalogue.ts';
import { memoryOf } from './cost.ts';
import { headersOf, httpChecksOf } from './http-checks.ts';
import { largeProject } from './large-project.ts';
import { ENCODINGS, type Encoding, type Load, load, pin, SERVER_CORE } from './load.ts';
import { type PeerServer, startNginx, startNginxWith } from './nginx.ts';
import { atMost, type Goal, median, type Row, ratioAtLeast, ratioAtMost } from './rows.ts';
import { missingTools } from './tools.ts';

const ROUNDS = 3;
/** Requests to /tls/ask. */
const ASKED = 500;

export async function measureServe(domains: number): Promise<Row[]> {
  const { folder, catalogue } = await largeProject(domains);
  const names = makeCatalogue(domains).map(({ name }) => name);
  const product = await startProductProcess({
    project: folder,
    env: { CATALOGUE: catalogue, TRUSTED_PROXIES: '1' },
  });
  try {
    const page = `/sites/${names[1]}/`;
    const rows = await httpChecksOf(`${product.origin}${page}`);
    if (missingTools('nginx', 'wrk', 'taskset').length > 0) return rows;
    pin(product.process.pid ?? 0);
    const nginx = await startNginx(
      join(folder, 'dist/client'),
      await headersOf(`${product.origin}${page}`),
      SERVER_CORE,
    );
    const bare = await startNodeHttp(`${product.origin}${page}`, SERVER_CORE);
    const own = { port: product.port, pids: [product.process.pid ?? 0] };
    const through = (upstream: number) => startNginxWith((port) => proxy(upstream, port), SERVER_CORE);
    const [proxied, proxiedBare] = [await through(own.port), await through(bare.port)];
    try {
      await assertValidResponses(nginx, page);
      rows.push(...(await compareWithPeers('one page', own, { nginx, 'node-http': bare }, page)));
      const peers = { 'node-http': proxiedBare };
      rows.push(...(await compareWithPeers('one page through nginx', proxied, peers, page, ['br'])));
      rows.push(await timeOfAsking(product.origin, names[1] ?? ''));
      const before = memoryOf(product.process.pid ?? 0);
      await requestEveryPage(product, names);
      rows.push(
        ...(await compareWithPeers(
          `${domains.toLocaleString('en-US')} pages at random`,
          own,
          { nginx },
          names,
        )),
      );
      const after = memoryOf(product.process.pid ?? 0);
      await requestEveryPage(product, names);
      const [area, value] = ['serve', memoryOf(product.process.pid ?? 0)];
      rows.push(
        {
          area,
          what: 'memory after every page in every encoding, MB',
          ours: after,
          peer: { name: 'before', value: before },
        },
        {
          area,
          what: 'memory after every page once more, MB',
          ours: value,
          peer: { name: 'the first time', value: after },
          goal: ratioAtMost(1.1),
        },
      );
      return rows;
    } finally {
      for (const server of [proxied, proxiedBare, bare]) await server.stop();
      await nginx.stop();
    }
  } finally {
    await product.stop();
  }
}

/** Ensures that nginx serves the same responses. */
async function assertValidResponses({ port }: PeerServer, page: string): Promise<void> {
  const wrong = (await httpChecksOf(`http://127.0.0.1:${port}${page}`)).filter(({ ours }) => ours === 0);
  if (wrong.length > 0)
    throw new Error(`nginx is misconfigured: ${wrong.map(({ what }) => what).join('; ')}`);
}

/** Goals relative to nginx's requests per second. */
const GOAL_ONE_PAGE: Goal = ratioAtLeast(0.35);
const GOAL_RANDOM_PAGES: Goal = ratioAtLeast(0.3);

/** @param pages one path, or domain names to choose from at random */
async function compareWithPeers(
  what: string,
  own: Pick<PeerServer, 'port' | 'pids'>,
  peers: Readonly<Record<string, PeerServer>>,
  pages: string | string[],
  encodings: readonly Encoding[] = ENCODINGS,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const encoding of encodings) {
    const ours: Load[] = [];
    const theirs = Object.entries(peers).map(([name, peer]) => ({ name, peer, loads: [] as Load[] }));
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await load(own.port, own.pids, encoding, pages));
      for (const { peer, loads } of theirs) loads.push(await load(peer.port, peer.pids, encoding, pages));
    }
    const medianOf = (loads: Load[], field: keyof Load) => median(loads.map((one) => one[field]));
    const row = (unit: string, field: keyof Load) =>
      theirs.map(({ name, loads }): Row => {
        const goal = field === 'perSecond' && name === 'nginx' ? goalFor(pages) : undefined;
        return {
          area: 'serve',
          what: `${what}, ${encoding}, ${unit}`,
          ours: medianOf(ours, field),
          peer: { name, value: medianOf(loads, field) },
          ...(goal && { goal }),
        };
      });
    rows.push(...row('requests a second', 'perSecond'), ...row('µs of processor a request', 'cpu'));
  }
  return rows;
}

function goalFor(pages: string | string[]): Goal {
  return typeof pages === 'string' ? GOAL_ONE_PAGE : GOAL_RANDOM_PAGES;
}

function proxy(node: number, port: number): string {
  return `upstream storefront { server 127.0.0.1:${node}; keepalive 32; keepalive_requests 100000000; keepalive_timeout 10s; }
  server { listen 127.0.0.1:${port};
    location / {
      proxy_pass http://storefront; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`;
}

async function timeOfAsking(origin: string, name: string): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < ASKED; n += 1) {
    const start = performance.now();
    await (await fetch(`${origin}/tls/ask?domain=www.${name}`)).text();
    times.push(performance.now() - start);
  }
  return { area: 'serve', what: '/tls/ask, ms (median)', ours: median(times), goal: atMost(5) };
}

async function requestEveryPage(product: Product, names: string[]): Promise<void> {
  const remaining = names.flatMap((name) => ENCODINGS.map((encoding) => [name, encoding] as const));
  const worker = async () => {
    for (let one = remaining.pop(); one; one = remaining.pop()) {
      const headers = { 'accept-encoding': one[1] };
      await (await fetch(`http://127.0.0.1:${product.port}/sites/${one[0]}/`, { headers })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/**
 * Starts a bare Node HTTP server with the page's responses in memory: the share of Node in our own times.
 * @param url the page, which is fetched once
 */
async function startNodeHttp(url: string, core: string): Promise<PeerServer> {
  const child = spawn(
    'taskset',
    ['-c', core, resolve('node_modules/.bin/node'), 'bench/peers/node-http/server.ts', url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [port] = await once(child.stdout, 'data');
  return {
    port: Number(port),
    // taskset replaces itself with the command.
    pids: [child.pid ?? 0],
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
