/**
 * Measures what visitors of 100 names notice of a build and a restart, behind Caddy with TLS and docs/deploy/Caddyfile.
 * Visitors think between pages: this is a minute of many people, and no flood. They, Caddy and the product share the
 * machine's cores.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sampleOffer } from '../supabase/functions/_shared/contract/sample-offer.ts';
import { readAllOffers } from '../tests/support/calls.ts';
import { canHoldSocket, type HeldProduct, startHeldProduct } from '../tests/support/held-product.ts';
import { copyOfProject } from '../tests/support/product.ts';
import { rawGet } from '../tests/support/raw-get.ts';
import { isAlive, waitUntil } from '../tests/support/terminal.ts';
import { startCaddy, type WebServer } from '../tests/support/web-servers.ts';
import { type Entry, makeCatalogue, writeYaml } from './catalogue.ts';
import { buildProject } from './large-project.ts';
import { atLeast, atMost, quantile, type Row, sum } from './rows.ts';
import { missingTools } from './tools.ts';
import {
  keptConnection,
  type OfferOutcome,
  reasonOf,
  submitOffer,
  type Visitor,
  viewPage,
} from './visitor.ts';

const AREA = 'visitors';
const NAMES = 100;
const VISITORS = 200;
/** Shortest time of the load; it lasts until the restarted product is healthy and some seconds more. */
const DURATION_MS = 60_000;
const AFTER_RESTART_MS = 5_000;
/** When the build starts, and at the earliest the restart. */
const BUILD_AT_MS = 10_000;
const RESTART_AT_MS = 30_000;
const OFFER_INTERVAL_MS = 2_000;
const OFFERS = 60;
/** Time between two pages of a visitor. */
const THINKING_MS = { least: 500, most: 2_000 };
const SHOWN_FAILURES = 10;

interface Results {
  /** When the load began, in milliseconds. */
  readonly began: number;
  readonly keptMs: number[];
  readonly newMs: number[];
  readonly failed: string[];
  readonly wrong: string[];
  /** Pages of the edited name with the old description, requested after the build was served. */
  readonly old: string[];
}

/** What the pages have to show: changed by the build. */
interface Expected {
  readonly names: readonly string[];
  readonly edited: string;
  description: string | undefined;
}

export async function measureVisitors(): Promise<Row[]> {
  if (missingTools('caddy', 'systemd-socket-activate').length > 0 || !canHoldSocket()) return [];
  const { folder, remove } = copyOfProject();
  const dataDir = join(folder, '.data');
  const compileCache = mkdtempSync(join(tmpdir(), 'compile-cache-'));
  const catalogue = join(folder, 'visitors.yaml');
  const entries = makeCatalogue(NAMES);
  writeYaml(catalogue, entries);
  await buildProject({ folder, catalogue });
  const product = await startHeldProduct(
    { CATALOGUE: catalogue, TRUSTED_PROXIES: '1', NODE_COMPILE_CACHE: compileCache },
    folder,
  );
  let caddy: WebServer | undefined;
  try {
    await waitUntil(() => isHealthy(product));
    const names = entries.map(({ name }) => name);
    const tokens = await solve(product, names);
    caddy = await startCaddy(product.port);
    const first = await viewEachOnce(caddy.port, names);
    return [first, ...(await measure({ product, caddy, folder, catalogue, dataDir, entries, tokens }))];
  } finally {
    await caddy?.stop();
    await product.stop();
    remove();
    rmSync(compileCache, { recursive: true, force: true });
  }
}

interface Setup {
  readonly product: HeldProduct;
  readonly caddy: WebServer;
  readonly folder: string;
  readonly catalogue: string;
  readonly dataDir: string;
  readonly entries: readonly Entry[];
  readonly tokens: readonly string[];
}

async function measure(setup: Setup): Promise<Row[]> {
  const { caddy, dataDir, entries, tokens } = setup;
  const results: Results = {
    began: performance.now(),
    keptMs: [],
    newMs: [],
    failed: [],
    wrong: [],
    old: [],
  };
  const names = entries.map(({ name }) => name);
  const expected: Expected = { names, edited: names[0] ?? '', description: undefined };
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const ownBefore = process.cpuUsage();
  const { began } = results;
  const ending = new AbortController();
  const visitors = Array.from({ length: VISITORS }, (_, n) =>
    visit({ port: caddy.port, ip: ipOf(n) }, n, expected, results, ending.signal),
  );
  const offers = makeOffers(caddy.port, names, tokens, ending.signal);
  const events = await buildAndRestart(setup, expected, began);
  await later(Math.max(AFTER_RESTART_MS, began + DURATION_MS - performance.now()));
  ending.abort();
  await Promise.all(visitors);
  const seconds = (performance.now() - began) / 1000;
  const own = process.cpuUsage(ownBefore);
  const outcomes = await offers;
  const stored = (await readAllOffers({ dataDir })).map(({ id }) => id);
  for (const line of [...results.failed, ...results.wrong, ...results.old].slice(0, SHOWN_FAILURES))
    console.log(line);
  const failedOffers = outcomes.filter(({ id }) => id === undefined);
  for (const { failures } of failedOffers) console.log(`An offer failed: ${failures.join(', ')}`);
  const refused = results.failed.filter((one) => one.includes('ECONNREFUSED')).length;
  const note = `${events}; load average ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? Number.NaN).toFixed(1)} after; the clients took ${((own.user + own.system) / 1e6).toFixed(0)} s of processor time in ${seconds.toFixed(0)} s`;
  return [
    ...rowsOfPages(results, seconds, note),
    { area: AREA, what: 'refused connections', ours: refused + refusedUpstream(caddy), goal: atMost(0) },
    ...rowsOfOffers(outcomes, stored),
  ];
}

/**
 * Gets a certificate for each name, one after the other: of handshakes for new names at the same moment
 * Caddy 2.6.2 rejects some (docs/hosting.md).
 */
async function viewEachOnce(port: number, names: readonly string[]): Promise<Row> {
  let failed = 0;
  for (const name of names) {
    const { status } = await viewPage({ port, ip: ipOf(0) }, name, '/').catch(() => ({ status: 0 }));
    if (status !== 200) failed += 1;
  }
  return { area: AREA, what: 'names whose first request failed', ours: failed, goal: atMost(0) };
}

/** Several pages of one name, then of the next, until the signal. Every second visitor opens a connection for each page. */
async function visit(
  visitor: Visitor,
  index: number,
  expected: Expected,
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  const { names } = expected;
  await think(signal);
  for (let round = 0; !signal.aborted; round += 1) {
    const name = names[(index + 37 * round) % names.length] ?? '';
    const other = names[(index + 37 * round + 1) % names.length] ?? '';
    const pages = [
      ['/', `Own ${name} Domain`],
      [`/sites/${other}/`, `Own ${other} Domain`],
      ['/domains/', undefined],
      ['/', `Own ${name} Domain`],
    ] as const;
    const agent = index % 2 === 0 ? keptConnection() : undefined;
    for (const [path, headline] of pages) {
      if (signal.aborted) break;
      await viewAndCheck(visitor, name, path, headline, agent, expected, results);
      await think(signal);
    }
    agent?.destroy();
  }
}

async function viewAndCheck(
  visitor: Visitor,
  host: string,
  path: string,
  headline: string | undefined,
  agent: ReturnType<typeof keptConnection> | undefined,
  { edited, description }: Expected,
  results: Results,
): Promise<void> {
  const second = ((performance.now() - results.began) / 1000).toFixed(1);
  const page = `second ${second}: https://${host}${path} over a ${agent ? 'kept' : 'new'} connection`;
  try {
    const { status, html, ms } = await viewPage(visitor, host, path, agent);
    (agent ? results.keptMs : results.newMs).push(ms);
    if (status !== 200) results.failed.push(`${page}: ${status}`);
    else if (headline !== undefined && headlineIn(html) !== headline)
      results.wrong.push(`${page}: ${headlineIn(html)}`);
    if (description !== undefined && headline?.includes(edited) && !html.includes(description))
      results.old.push(`${page}: the old description`);
  } catch (error) {
    results.failed.push(`${page}: ${reasonOf(error)}`);
  }
}

function headlineIn(html: string): string | undefined {
  const [, content] = /<h1[^>]*>(.*?)<\/h1>/s.exec(html) ?? [];
  return content
    ?.replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

async function think(signal: AbortSignal): Promise<void> {
  const { least, most } = THINKING_MS;
  await later(least + Math.random() * (most - least), undefined, { signal }).catch(() => {});
}

async function makeOffers(
  port: number,
  names: readonly string[],
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<OfferOutcome[]> {
  const sent: Promise<OfferOutcome>[] = [];
  for (const [n, token] of tokens.entries()) {
    if (signal.aborted) break;
    const offer = sampleOffer({
      domain_name: names[n % names.length] ?? '',
      offer_amount: `${n} €`,
      customer_name: `Visitor ${n}`,
      customer_email: `visitor${n}@example.com`,
      turnstile_token: token,
    });
    sent.push(submitOffer({ port, ip: ipOf(n) }, offer));
    await later(OFFER_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
  return await Promise.all(sent);
}

/** Edits one entry, builds while the product runs, and restarts the product. Returns when it did so. */
async function buildAndRestart(
  { product, folder, catalogue, entries }: Setup,
  expected: Expected,
  began: number,
): Promise<string> {
  const seconds = () => Math.round((performance.now() - began) / 1000);
  await later(BUILD_AT_MS);
  const description = 'A better description, written while visitors read.';
  writeYaml(
    catalogue,
    entries.map((entry, n) => (n === 0 ? { ...entry, description } : entry)),
  );
  const build = [seconds()];
  await buildProject({ folder, catalogue });
  build.push(seconds());
  expected.description = description;
  await later(Math.max(0, began + RESTART_AT_MS - performance.now()));
  const restart = [seconds()];
  const before = product.pid() ?? 0;
  process.kill(before, 'SIGTERM');
  await waitUntil(() => !isAlive(before));
  await waitUntil(() => isHealthy(product));
  restart.push(seconds());
  return `build from second ${build.join(' to ')}, restart from second ${restart.join(' to ')}`;
}

async function isHealthy({ port }: HeldProduct): Promise<boolean> {
  return (await rawGet(port, '/health')).status === 200;
}

/** Solves bot checks before the load, so that proofs outlive the restart and clients have the processor for pages. */
function solve({ port }: HeldProduct, domains: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  const workerData = { origin: `http://127.0.0.1:${port}`, count: OFFERS, domains };
  const worker = new Worker(new URL('./solve.ts', import.meta.url), { workerData });
  worker.on('message', (token: string) => tokens.push(token));
  return new Promise((done, fail) => worker.once('exit', () => done(tokens)).once('error', fail));
}

/** Each visitor has a /24 of its own, so that limits see as many senders. */
function ipOf(n: number): string {
  return `127.0.${n + 1}.1`;
}

/** Connections of Caddy to the product that were refused. */
function refusedUpstream(caddy: WebServer): number {
  return caddy.log().match(/connection refused/g)?.length ?? 0;
}

function rowsOfPages({ keptMs, newMs, failed, wrong, old }: Results, seconds: number, note: string): Row[] {
  const all = [...keptMs, ...newMs];
  const time = (what: string, times: readonly number[]): Row[] =>
    [0.5, 0.95, 0.99, 1].map((share) => ({
      area: AREA,
      what: `${what}, ${share === 1 ? 'longest' : `${share * 100}th percentile`}, ms`,
      ours: quantile(times, share),
    }));
  return [
    { area: AREA, what: `pages a second, ${VISITORS} visitors`, ours: all.length / seconds, note },
    { area: AREA, what: `failed pages of ${all.length}`, ours: failed.length, goal: atMost(0) },
    { area: AREA, what: 'pages of another name', ours: wrong.length, goal: atMost(0) },
    { area: AREA, what: 'old pages after the build', ours: old.length, goal: atMost(0) },
    ...time('a page over a kept connection', keptMs),
    ...time('a page over a new connection', newMs),
  ];
}

function rowsOfOffers(outcomes: readonly OfferOutcome[], stored: readonly string[]): Row[] {
  const ids = outcomes.flatMap(({ id }) => id ?? []);
  const row = (what: string, ours: number, goal?: Row['goal']): Row => ({
    area: AREA,
    what,
    ours,
    ...(goal && { goal }),
  });
  return [
    row('acknowledged offers', ids.length, atLeast(1)),
    row('acknowledged offers not stored', ids.filter((id) => !stored.includes(id)).length, atMost(0)),
    row('offers stored and not acknowledged', stored.filter((id) => !ids.includes(id)).length, atMost(0)),
    row('offers that failed for good', outcomes.length - ids.length, atMost(0)),
    row('times a form sent its offer again', sum(outcomes.map(({ failures }) => failures.length))),
    row('times a visitor had to submit again', sum(outcomes.map(({ submittedAgain }) => submittedAgain))),
    row('longest wait for an offer, s', Math.max(...outcomes.map(({ ms }) => ms)) / 1000),
  ];
}
