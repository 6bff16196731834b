/**
 * Measures the throughput and response times of `order-submit`, without and with messages to the owner and the buyer,
 * and whether each acknowledged offer is stored. The clients share the processor with the product: so they solve their
 * proofs of work in advance and keep their connections, and the mail server parses no mail.
 */

import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { readOffers } from '../server/backend-client/offers.ts';
import { withProject } from '../server/embedded/with-project.ts';
import type { OfferSubmission } from '../supabase/functions/_shared/contract/offer.ts';
import { sampleOffer } from '../supabase/functions/_shared/contract/sample-offer.ts';
import { startSmtpServer } from '../supabase/functions/deliver/fake-smtp-server.ts';
import { type Product, PUBLIC_KEY, startProductProcess } from '../tests/support/product.ts';
import { cpuOfTree } from './cost.ts';
import { atLeast, atMost, median, quantile, type Row, ratioAtMost } from './rows.ts';

const CLIENTS = 8;
const THREADS = 2;
/** A proof is valid for 300 s: solving stops after this many seconds, with the proofs solved so far. */
const SOLVING_TIMEOUT_S = 200;

export async function measureOffers(count: number): Promise<Row[]> {
  const without = await measure(count);
  let mails = 0;
  await using mail = await startSmtpServer({
    onData: (stream, _, callback) => {
      stream.resume().once('end', () => {
        mails += 1;
        callback();
      });
    },
  });
  const withMessages = await measure(count, {
    SMTP_URL: `smtp://127.0.0.1:${mail.server.port}`,
    MAIL_FROM: 'offers@example.com',
    MAIL_TO: 'owner@example.com',
    MAIL_CONFIRM: 'yes',
  });
  return [
    ...without,
    ...withMessages.map((row) => ({ ...row, what: `${row.what}, mail on` })),
    { area: 'offers', what: 'mails sent meanwhile', ours: mails },
  ];
}

async function measure(count: number, env: Record<string, string> = {}): Promise<Row[]> {
  const product = await startProductProcess({ env: { RATE_LIMIT_SCALE: '100000', ...env } });
  try {
    const tokens = await solve(product, count + CLIENTS);
    // Warm up.
    await submitAll(product, tokens.splice(0, CLIENTS));
    const pid = product.process.pid ?? 0;
    const before = cpuOfTree(pid);
    const ownBefore = process.cpuUsage();
    const { seconds, durations, ids } = await submitAll(product, tokens);
    const own = process.cpuUsage(ownBefore);
    const cpu = cpuOfTree(pid) - before;
    const stored = await storedIds(product);
    const area = 'offers';
    return [
      {
        area,
        what: `offers a second, ${CLIENTS} clients`,
        ours: durations.length / seconds,
        goal: atLeast(100),
        note: `${durations.length} offers in ${seconds.toFixed(1)} s`,
      },
      {
        area,
        what: '99th percentile of the response time, ms',
        ours: quantile(durations, 0.99),
        peer: { name: 'median', value: median(durations) },
        goal: ratioAtMost(5),
      },
      { area, what: 'processor time of one offer, all processes, ms', ours: (cpu / durations.length) * 1000 },
      {
        area,
        what: 'the same of clients and mail server, ms',
        ours: (own.user + own.system) / 1000 / durations.length,
      },
      {
        area,
        what: 'acknowledged offers not stored',
        ours: ids.filter((id) => !stored.has(id)).length,
        goal: atMost(0),
      },
      {
        area,
        what: 'offers stored twice or not sent',
        ours: stored.size - ids.length - CLIENTS,
        goal: atMost(0),
      },
    ];
  } finally {
    await product.stop();
  }
}

async function solve({ port }: Product, count: number): Promise<string[]> {
  const tokens: string[] = [];
  const workers = Array.from({ length: THREADS }, () => {
    const workerData = {
      origin: `http://127.0.0.1:${port}`,
      count: Math.ceil(count / THREADS),
    };
    return new Worker(new URL('./solve.ts', import.meta.url), { workerData });
  });
  const late = setTimeout(
    () => workers.forEach((worker) => void worker.terminate()),
    SOLVING_TIMEOUT_S * 1000,
  );
  await Promise.all(
    workers.map((worker) => {
      worker.on('message', (token: string) => tokens.push(token));
      return new Promise((done, fail) => worker.once('exit', done).once('error', fail));
    }),
  );
  clearTimeout(late);
  return tokens.slice(0, count);
}

async function submitAll({ port }: Product, tokens: readonly string[]) {
  const durations: number[] = [];
  const ids: string[] = [];
  let next = 0;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const client = async () => {
    for (let at = next++; at < tokens.length; at = next++) {
      const requested = performance.now();
      const response = await submit(agent, port, at, tokens[at] ?? '');
      durations.push(performance.now() - requested);
      ids.push(response);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { seconds, durations, ids };
}

async function submit(agent: Agent, port: number, at: number, token: string): Promise<string> {
  const offer: OfferSubmission = sampleOffer({
    offer_amount: `${at} €`,
    customer_name: `Customer ${at}`,
    customer_email: `customer${at}@example.com`,
    turnstile_token: token,
  });
  const body = JSON.stringify(offer);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(`http://127.0.0.1:${port}/functions/v1/order-submit`, {
    agent,
    method: 'POST',
    headers: {
      apikey: PUBLIC_KEY,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
    .once('response', resolve)
    .once('error', reject)
    .end(body);
  const response = await promise;
  const { id } = JSON.parse(await text(response)) as { id?: string };
  if (response.statusCode !== 201 || id === undefined)
    throw new Error(`An offer failed with ${response.statusCode}.`);
  return id;
}

async function storedIds({ dataDir }: Product): Promise<Set<string>> {
  return await withProject({ dataDir, supabase: undefined }, async (project) => {
    const offers = await Array.fromAsync((await readOffers(project)).offers);
    return new Set(offers.map(({ id }) => id));
  });
}
