/**
 * A process of the edge functions for `npm run bench -- scale`: the real handlers, which call PostgreSQL as the data API
 * does, over connections of their own. Its parent sends tasks by IPC, one at a time.
 */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { checkResults } from '../supabase/functions/_shared/call-database.ts';
import { sampleOffer } from '../supabase/functions/_shared/contract/sample-offer.ts';
import { createListings } from '../supabase/functions/_shared/listings.ts';
import { createLog } from '../supabase/functions/_shared/log.ts';
import { serveFunction } from '../supabase/functions/_shared/serve-function.ts';
import { readSettings } from '../supabase/functions/_shared/settings.ts';
import { deliverMessages } from '../supabase/functions/deliver/deliver-messages.ts';
import { createSubmitOffer } from '../supabase/functions/order-submit/handler.ts';
import { settingsOf } from '../supabase/tests/engines.ts';

/** A pool of the data API has a few more. */
const CONNECTIONS = 8;

/** Arguments that are arrays of PostgreSQL; all other objects are JSON. */
const ARRAYS = ['ids', 'sent'];

export type Task =
  | {
      readonly name: 'offers';
      readonly seconds: number;
      /** Number of names in the catalogue that offers are spread over. */
      readonly names: number;
      /** Undefined: as many as possible. */
      readonly perSecond?: number;
      /** Multiplies the rate limits. */
      readonly limitScale: number;
    }
  | { readonly name: 'deliver' };

export interface Report {
  /** Milliseconds of each response, or of each call of the database that took messages. */
  readonly durations: number[];
  /** Responses by status, or messages by outcome. */
  readonly counts: Record<string, number>;
  /** Ids of messages, in the order in which they were sent. */
  readonly sent: number[];
  /** Processor time of this process, in milliseconds. */
  readonly cpu: number;
}

const [socket = ''] = process.argv.slice(2);
const pool = new pg.Pool({
  host: socket,
  user: 'postgres',
  database: 'postgres',
  max: CONNECTIONS,
  application_name: 'scale',
});
const serviceRole = settingsOf({ role: 'service_role' });
const PUBLIC_KEY = 'sb_publishable_bench';

process.on('message', async (task: Task) => {
  const before = process.cpuUsage();
  const report = task.name === 'offers' ? await submitOffers(task) : await deliver();
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ...report, cpu: (user + system) / 1000 } satisfies Report);
});
process.once('disconnect', () => process.exit());
await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.05)')));
process.send?.('ready');

async function submitOffers(task: Extract<Task, { name: 'offers' }>): Promise<Omit<Report, 'cpu'>> {
  const env = {
    SUPABASE_URL: 'http://127.0.0.1',
    SUPABASE_SECRET_KEY: 'sb_secret_bench',
    SUPABASE_PUBLISHABLE_KEY: PUBLIC_KEY,
    LOOPBACK_ONLY: '1',
    RATE_LIMIT_SCALE: String(task.limitScale),
  };
  const settings = readSettings(env);
  const callDatabase = checkResults(runFunction);
  const listings = createListings(callDatabase, undefined);
  const botCheck = {
    limitsFailures: false,
    // Proofs are solved by visitors: here each token counts as solved.
    read: (identity: string) => ({ identity, verify: async () => 'passed' as const }),
  };
  const { fetch } = serveFunction(
    { listings, settings, log: createLog(console) },
    { name: 'order-submit', method: 'POST' },
    createSubmitOffer({ settings, listings, botCheck, callDatabase }),
  );
  await listings.read();
  const durations: number[] = [];
  const counts: Record<string, number> = {};
  const started = performance.now();
  const end = started + task.seconds * 1000;
  let next = 0;
  const client = async () => {
    for (;;) {
      const at = next++;
      const due = task.perSecond === undefined ? 0 : started + (at / task.perSecond) * 1000;
      if (Math.max(due, performance.now()) >= end) return;
      if (due > performance.now()) await new Promise((done) => setTimeout(done, due - performance.now()));
      const requested = performance.now();
      const { status } = await fetch(requestOf(task.names));
      durations.push(performance.now() - requested);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return { durations, counts, sent: [] };
}

/** An offer of a customer and an ip that sent none before. */
function requestOf(names: number): Request {
  const sender = randomUUID();
  const ip = `2001:${sender.slice(0, 4)}:${sender.slice(4, 8)}:${sender.slice(9, 13)}::1`;
  return new Request('http://127.0.0.1/functions/v1/order-submit', {
    method: 'POST',
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', 'cf-connecting-ip': ip },
    body: JSON.stringify(
      sampleOffer({
        domain_name: `n${Math.floor(Math.random() * names)}.example`,
        offer_amount: '12,000 €',
        customer_name: `Customer ${sender.slice(0, 8)}`,
        customer_email: `${sender}@example.com`,
        turnstile_token: sender,
      }),
    ),
  });
}

/** Takes what is due and marks it as sent, without a mail server. */
async function deliver(): Promise<Omit<Report, 'cpu'>> {
  const durations: number[] = [];
  const sent: number[] = [];
  const timed = checkResults(async (name, args: Record<string, unknown>) => {
    const called = performance.now();
    const value = await runFunction(name, args);
    if (name === 'acquire_messages') durations.push(performance.now() - called);
    // Others are begun, or marked once they were sent.
    if (name !== 'begin_delivery') sent.push(...((args.ids ?? args.sent) as number[]));
    return value;
  });
  const kinds = await deliverMessages({
    callDatabase: timed,
    send: async () => ({ status: 'sent', response: '' }),
  });
  return { durations, counts: { sent: kinds.confirmation?.sent ?? 0 }, sent };
}

/** Calls a function as the data API does: one transaction, in which the role is set first. */
async function runFunction(name: string, args: Record<string, unknown>): Promise<unknown> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'settings',
      text: `select ${serviceRole.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`).join(', ')}`,
      values: serviceRole.flat(),
    });
    const { rows } = await client.query<{ value: unknown }>({
      name,
      text: `select public.${name}(${Object.keys(args).map((key, at) => `${key} => $${at + 1}`)}) as value`,
      values: Object.entries(args).map(([key, value]) => (ARRAYS.includes(key) ? value : parameterOf(value))),
    });
    await client.query('commit');
    return rows[0]?.value;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function parameterOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
