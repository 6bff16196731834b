/**
 * Measures what a catalogue of many names and a table of many offers cost, on PostgreSQL with the functions in several
 * processes: offers a second, what they wait for, publications meanwhile, messages taken by two runs at once, and the
 * dashboard's queries. Processes and database share the processor: processor time and ratios count.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMINISTRATOR, FUNCTIONS, OWNER, openStage, publish, type Stage } from '../supabase/tests/cast.ts';
import { openPostgres } from '../supabase/tests/engines.ts';
import { migratePostgres, NO_POSTGRES, startPostgres } from '../supabase/tests/postgres.ts';
import { cpuOfEndedChildren, cpuOfTree } from './cost.ts';
import { atMost, median, quantile, type Row, sum } from './rows.ts';
import type { Report, Task } from './scale-process.ts';

const SECONDS = 5;
const TARGET_A_MINUTE = 1_000;
/** So high that no offer meets a limit. */
const NO_LIMITS = 1_000_000;
/** Messages that two runs take at once. */
const MESSAGES = 2_000;
const SAMPLE_INTERVAL_MS = 20;

const area = 'scale';

interface Server {
  readonly stage: Stage;
  readonly socket: string;
  readonly names: number;
}

export async function measureScale(names: number, offers: number): Promise<Row[]> {
  if (NO_POSTGRES) throw new Error(NO_POSTGRES);
  const { socket, stop } = startPostgres(undefined, undefined, true);
  const connection = { host: socket, user: 'postgres', database: 'postgres' };
  await migratePostgres(connection);
  const stage = await openStage({
    name: 'PostgreSQL',
    missing: false,
    isConcurrent: true,
    open: () => openPostgres(connection),
  });
  const server = { stage, socket, names };
  try {
    await publish(stage, catalogueOf(names));
    const rows: Row[] = [];
    let filled = 0;
    for (const size of [Math.ceil(offers / 10), offers]) {
      await fill(server, filled, size);
      filled = size;
      rows.push(...(await measureDashboard(stage, size)));
    }
    rows.push(await measureSize(stage, offers));
    rows.push(...(await measureSubmissions(server)));
    rows.push(...(await measurePublication(server)));
    rows.push(...(await measureMessages(server)));
    rows.push(...(await measureLimits(server)));
    rows.push({ area, what: 'deadlocks in all', ours: await deadlocks(stage), goal: atMost(0) });
    return rows;
  } finally {
    await stage.close();
    stop();
  }
}

function catalogueOf(names: number, price = '$10,000') {
  return Array.from({ length: names }, (_, at) => ({ name: `n${at}.example`, price }));
}

/** Adds offers of one year with their idempotency keys, 10 % of them pending. */
async function fill({ stage, names }: Server, from: number, to: number): Promise<void> {
  await stage.as(
    OWNER,
    `with added as (
       insert into public.offers (domain_name, offer_amount, customer_name, customer_email, status, created_at)
       select 'n' || (at * 7919) % $3 || '.example', at || ' €', 'Customer ' || md5(at::text),
         md5(at::text) || '@example.com', case when at % 10 = 0 then 'pending' else 'rejected' end,
         now() - interval '21 hours' - at * interval '1 year' / $2::integer
       from generate_series($1::integer, $2::integer - 1) as at returning id
     )
     insert into private.idempotency_keys (token_hash, payload_hash, offer_id) select id::text, '', id from added`,
    [from, to, names],
  );
  await stage.maintain('vacuum analyze');
}

async function measureSize(stage: Stage, offers: number): Promise<Row> {
  const [size] = await stage.as(
    OWNER,
    `select pg_total_relation_size('public.offers') as offers, pg_table_size('public.offers') as rows,
       pg_total_relation_size('private.idempotency_keys') as keys`,
  );
  const each = (name: string) => Math.round(Number(size?.[name]) / offers);
  return {
    area,
    what: 'bytes on disk of an offer, with its idempotency key and all indexes',
    ours: each('offers') + each('keys'),
    note: `offer ${each('rows')}, its indexes ${each('offers') - each('rows')}, idempotency key ${each('keys')}`,
  };
}

async function measureDashboard(stage: Stage, size: number): Promise<Row[]> {
  const queries: [what: string, sql: string, parameters: unknown[]][] = [
    ['the pages of all offers', 'select public.offer_pages(50)', []],
    ['the newest 50 offers', 'select public.find_offers()', []],
    [
      'a search that finds one offer',
      'select public.find_offers($1)',
      ['{"term": "c4ca4238a0b923820dcc509a6f75849b"}'],
    ],
    ['a search that finds most offers', 'select public.find_offers($1)', ['{"term": "customer"}']],
    ['the counts of all offers', 'select public.offer_counts()', []],
    ['the poll for new offers', 'select public.new_offers(now())', []],
  ];
  const rows: Row[] = [];
  for (const [what, sql, parameters] of queries) {
    const times = await timesOf(5, () => stage.as(ADMINISTRATOR, sql, parameters));
    rows.push({ area, what: `${what}, ms, ${size} offers`, ours: median(times) });
  }
  const overdue = await timesOf(5, () =>
    stage.as(FUNCTIONS, `select public.queue_overdue('{https://example.com/hook}')`),
  );
  rows.push({
    area,
    what: `the alarm for overdue offers, ms, ${size} offers`,
    ours: median(overdue),
    note: `${size / 10} of them pending; the first one, which queues them, took ${Math.round(overdue[0] ?? 0)} ms`,
  });
  return rows;
}

async function measureSubmissions(server: Server): Promise<Row[]> {
  const rows: Row[] = [];
  for (const processes of [1, 2, 4]) {
    rows.push(...rowsOf(`${processes} × 8 connections`, await submitIn(server, processes)));
  }
  rows.push(...rowsOf('4 × 8, all for one name', await submitIn(server, 4, { names: 1 })));

  // A backup keeps old versions of the rows that count.
  const withSnapshot = submitIn(server, 4, {}, async () => {
    await server.stage.as(OWNER, 'select pg_sleep($1)', [SECONDS]);
  });
  rows.push(...rowsOf('4 × 8, beside an open snapshot', await withSnapshot));

  // A commit of 5 ms, as on a slow or distant disk.
  await server.stage.maintain('alter system set commit_siblings = 0');
  await server.stage.maintain('alter system set commit_delay = 5000');
  await server.stage.maintain('select pg_reload_conf()');
  rows.push(...rowsOf('4 × 8, commits of 5 ms', await submitIn(server, 4)));
  await server.stage.maintain('alter system reset commit_delay');
  await server.stage.maintain('select pg_reload_conf()');

  rows.push(
    ...rowsOf(
      `4 × 8, ${TARGET_A_MINUTE} offers a minute`,
      await submitIn(server, 4, { perSecond: TARGET_A_MINUTE / 60 / 4 }),
    ),
  );
  return rows;
}

interface Submitted {
  readonly reports: Report[];
  readonly seconds: number;
  /** Processor time of PostgreSQL, in milliseconds. */
  readonly cpu: number;
  /** Bytes of the write-ahead log. */
  readonly log: number;
  /** Share of the busy connections that waited, by what they waited for. */
  readonly waits: Record<string, number>;
  /** How often a connection waited for a row, by table and bucket. */
  readonly lockedRows: Record<string, number>;
}

/** Lets several processes submit offers; `meanwhile` runs while they do. */
async function submitIn(
  { stage, socket, names }: Server,
  processes: number,
  change: Partial<Extract<Task, { name: 'offers' }>> = {},
  meanwhile?: () => Promise<void>,
): Promise<Submitted> {
  const children = await start(socket, processes);
  const task: Task = {
    name: 'offers',
    seconds: SECONDS,
    names,
    limitScale: NO_LIMITS,
    ...change,
  };
  const logPosition = async () => Number(await stage.value(OWNER, "select pg_current_wal_lsn() - '0/0'"));
  const logBefore = await logPosition();
  const before = cpuOfPostgres(socket);
  const started = performance.now();
  let ended = false;
  const work = Promise.all(children.map((child) => run(child, task))).finally(() => {
    ended = true;
  });
  const sampled = sampleWaits(stage, () => ended);
  await meanwhile?.();
  const reports = await work;
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuOfPostgres(socket) - before;
  for (const child of children) child.disconnect();
  const log = (await logPosition()) - logBefore;
  return { reports, seconds, cpu, log, ...(await sampled) };
}

/** Processor time of the server with all its processes, in milliseconds. */
function cpuOfPostgres(socket: string): number {
  const pid = Number(readFileSync(join(socket, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  return (cpuOfTree(pid) + cpuOfEndedChildren(pid)) * 1000;
}

async function sampleWaits(
  stage: Stage,
  ended: () => boolean,
): Promise<Pick<Submitted, 'waits' | 'lockedRows'>> {
  const waits: Record<string, number> = {};
  const lockedRows: Record<string, number> = {};
  while (!ended()) {
    const active = await stage.as(
      OWNER,
      `select coalesce(wait_event_type || ' ' || wait_event, 'none') as name, count(*)::integer as samples
       from pg_stat_activity
       where application_name = 'scale' and state = 'active' group by 1`,
    );
    const locked = await stage.as(
      OWNER,
      `select concat_ws(' ', c.relname, (
         select r.bucket from private.rate_limits r
         where c.relname = 'rate_limits' and r.ctid = format('(%s,%s)', l.page, l.tuple)::tid
       )) as name, count(*)::integer as samples
       from pg_locks l join pg_class c on c.oid = l.relation where l.locktype = 'tuple' group by 1`,
    );
    for (const { name, samples } of active) add(waits, String(name), Number(samples));
    for (const { name, samples } of locked) add(lockedRows, String(name), Number(samples));
    await pause(SAMPLE_INTERVAL_MS);
  }
  return { waits, lockedRows };
}

function add(counts: Record<string, number>, name: string, samples: number): void {
  counts[name] = (counts[name] ?? 0) + samples;
}

function rowsOf(how: string, { reports, seconds, cpu, log, waits, lockedRows }: Submitted): Row[] {
  const durations = reports.flatMap((report) => report.durations);
  const statuses = reports.map(({ counts }) => counts);
  const stored = sum(statuses.map((counts) => counts[201] ?? 0));
  const wrong = durations.length - stored;
  return [
    { area, what: `offers a second, ${how}`, ours: stored / seconds, note: sharesOf(waits) },
    {
      area,
      what: `processor time of PostgreSQL for an offer, ms, ${how}`,
      ours: cpu / stored,
      note: `functions ${(sum(reports.map((report) => report.cpu)) / stored).toFixed(2)} ms; write-ahead log ${Math.round(log / stored)} bytes; rows waited for: ${sharesOf(lockedRows)}`,
    },
    {
      area,
      what: `99th percentile of an offer, ms, ${how}`,
      ours: quantile(durations, 0.99),
      peer: { name: 'median', value: median(durations) },
      note: `longest ${Math.round(Math.max(...durations))} ms`,
    },
    { area, what: `offers not stored, ${how}`, ours: wrong, goal: atMost(0) },
  ];
}

function sharesOf(counts: Record<string, number>): string {
  const total = sum(Object.values(counts));
  const shares = Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, samples]) => `${name} ${Math.round((samples / total) * 100)} %`);
  return shares.length > 0 ? `${shares.join(', ')} of ${total}` : 'none';
}

async function measurePublication(server: Server): Promise<Row[]> {
  const { stage, names } = server;
  const rows: Row[] = [];
  const prices = { unchanged: '$10,000', changed: '$20,000' };
  for (const [what, price] of Object.entries(prices)) {
    const times: number[] = [];
    const submitted = await submitIn(server, 2, { perSecond: TARGET_A_MINUTE / 60 / 2 }, async () => {
      for (let at = 0; at < 3; at++) {
        await pause(1_000);
        const entries = catalogueOf(names, price === prices.changed ? `${price}${at}` : price);
        times.push(...(await timesOf(1, () => publish(stage, entries))));
      }
    });
    const durations = submitted.reports.flatMap((report) => report.durations);
    rows.push({
      area,
      what: `publication of ${names} names, ${what}, ms`,
      ours: median(times),
      note: `${times.map(Math.round).join(', ')} ms; offers meanwhile: longest ${Math.round(Math.max(...durations))} ms`,
    });
  }
  const read = await timesOf(9, () => stage.as(FUNCTIONS, 'select public.read_listings()'));
  rows.push({ area, what: `reading ${names} names after a publication, ms`, ours: median(read) });
  return rows;
}

async function measureMessages(server: Server): Promise<Row[]> {
  const { stage, socket } = server;
  const rows: Row[] = [];
  await stage.as(OWNER, 'delete from private.messages');
  for (const processes of [1, 2]) {
    await stage.as(
      OWNER,
      `insert into private.messages (kind, offer_id, target)
       select 'confirmation', o.id, 'mailto:' || o.id || '@example.com' from public.offers o
       where not exists (select from private.messages m where m.offer_id = o.id) limit $1`,
      [MESSAGES],
    );
    const children = await start(socket, processes);
    const started = performance.now();
    const reports = await Promise.all(children.map((child) => run(child, { name: 'deliver' })));
    const seconds = (performance.now() - started) / 1000;
    for (const child of children) child.disconnect();
    const sent = reports.flatMap((report) => report.sent);
    rows.push(
      {
        area,
        what: `messages a second, ${processes} deliveries at once`,
        ours: sent.length / seconds,
        note: `acquire_messages: median ${median(reports.flatMap(({ durations }) => durations)).toFixed(1)} ms`,
      },
      {
        area,
        what: `messages sent twice or not, ${processes} deliveries at once`,
        ours: sent.length - new Set(sent).size + Math.abs(MESSAGES - sent.length),
        goal: atMost(0),
      },
    );
  }
  return rows;
}

/** How many offers of ten minutes the limits store before the first one is held. */
async function measureLimits(server: Server): Promise<Row[]> {
  const { stage } = server;
  const countHeld = () => stage.value(OWNER, 'select count(*)::integer from public.offers where held');
  const countAll = () => stage.value(OWNER, 'select count(*)::integer from public.offers');
  await stage.as(OWNER, 'delete from private.rate_limits');
  const [held, all] = [Number(await countHeld()), Number(await countAll())];
  const { reports } = await submitIn(server, 4, { limitScale: 1, seconds: 6 * SECONDS });
  const stored = Number(await countAll()) - all;
  const heldNow = Number(await countHeld()) - held;
  const limited = sum(reports.map(({ counts }) => counts[429] ?? 0));
  return [
    {
      area,
      what: 'offers of ten minutes before the first held one, limits as they are',
      ours: stored - heldNow,
      note: `${heldNow} held, ${limited} rejected; more if the run meets the end of a window`,
    },
  ];
}

async function deadlocks(stage: Stage): Promise<number> {
  return Number(
    await stage.value(OWNER, 'select deadlocks from pg_stat_database where datname = current_database()'),
  );
}

async function timesOf(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return times;
}

/** Starts processes and waits until each has its connections. */
async function start(socket: string, count: number): Promise<ChildProcess[]> {
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'scale-process.ts'), [socket], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(children.map((child) => new Promise((done) => child.once('message', done))));
  return children;
}

function run(child: ChildProcess, task: Task): Promise<Report> {
  return new Promise((done, fail) => {
    child.once('message', (report) => done(report as Report));
    child.once('exit', (code) => fail(new Error(`A process of the functions ended with ${code}.`)));
    child.send(task);
  });
}
