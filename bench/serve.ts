/**
 * Compares the built-in server with nginx: one core each, the same bytes and headers, another core for the load.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Product, startProductProcess } from '../tests/support/product.ts';
import { makeCatalogue } from './catalogue.ts';
import { memoryOf } from './cost.ts';
import { headersOf, httpChecksOf, request } from './http-checks.ts';
import { largeProject } from './large-project.ts';
import { ENCODINGS, type Encoding, type Load, load, pin, SERVER_CORE } from './load.ts';
import { type PeerServer, startNginx } from './nginx.ts';
import { atMost, type Goal, median, type Row, ratioAtLeast, ratioAtMost } from './rows.ts';
import { missingTools } from './tools.ts';

const ROUNDS = 3;
const ENDINGS = { br: '.br', gzip: '.gz' };
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
    // A build compresses the pages of a small site alone, and nginx compresses none: it gets the server's.
    const root = join(folder, 'compressed');
    cpSync(join(folder, 'dist/client'), root, { recursive: true });
    await requestEveryPage(product, names, (name, encoding, body) => {
      if (encoding !== 'identity')
        writeFileSync(join(root, 'sites', name, `index.html${ENDINGS[encoding]}`), body);
    });
    const nginx = await startNginx(root, await headersOf(`${product.origin}${page}`), SERVER_CORE);
    const own = { port: product.port, pids: [product.process.pid ?? 0] };
    try {
      await assertValidResponses(nginx, page);
      rows.push(...(await compareWithNginx('one page', own, nginx, page)));
      rows.push(await timeOfAsking(product.origin, names[1] ?? ''));
      const before = memoryOf(product.process.pid ?? 0);
      rows.push(
        ...(await compareWithNginx(`${domains.toLocaleString('en-US')} pages at random`, own, nginx, names)),
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
async function compareWithNginx(
  what: string,
  own: Pick<PeerServer, 'port' | 'pids'>,
  nginx: PeerServer,
  pages: string | string[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const encoding of ENCODINGS) {
    const [ours, theirs]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await load(own.port, own.pids, encoding, pages));
      theirs.push(await load(nginx.port, nginx.pids, encoding, pages));
    }
    const row = (unit: string, field: keyof Load): Row => ({
      area: 'serve',
      what: `${what}, ${encoding}, ${unit}`,
      ours: median(ours.map((one) => one[field])),
      peer: { name: 'nginx', value: median(theirs.map((one) => one[field])) },
    });
    rows.push(
      { ...row('requests a second', 'perSecond'), goal: goalFor(pages) },
      row('µs of processor a request', 'cpu'),
    );
  }
  return rows;
}

function goalFor(pages: string | string[]): Goal {
  return typeof pages === 'string' ? GOAL_ONE_PAGE : GOAL_RANDOM_PAGES;
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

async function requestEveryPage(
  product: Product,
  names: string[],
  take: (name: string, encoding: Encoding, body: Buffer) => void = () => {},
): Promise<void> {
  const remaining = names.flatMap((name) => ENCODINGS.map((encoding) => [name, encoding] as const));
  const worker = async () => {
    for (let one = remaining.pop(); one; one = remaining.pop()) {
      const [name, encoding] = one;
      const url = `http://127.0.0.1:${product.port}/sites/${name}/`;
      take(name, encoding, (await request(url, { 'accept-encoding': encoding })).body);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
