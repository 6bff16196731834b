/**
 * The owner's tools in the process of the database, since a second process on the same files would lose data.
 * Reached with the secret key on the database's own loopback port; the gateway never forwards here.
 */
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { PublicationSchema } from '#contract/publication.ts';
import { ensureAdministrator } from './administrator.ts';
import { countOffers } from './clean-copy.ts';
import { noteErasure } from './erasures.ts';
import {
  addAdministrator,
  readAdministrators,
  removeAdministrator,
  renewPassword,
} from './manage-administrators.ts';
import { readMessageState } from './message-tools.ts';
import { readMovedAccounts, readMovedRows } from './moved-rows.ts';
import type { OpenDatabase } from './open-database.ts';
import { readRow } from './read-row.ts';
import { assertRightResults, endOnWrongResults } from './self-check.ts';

/** What a tool works with. */
export interface ToolContext {
  readonly dataDir: string;
  readonly database: OpenDatabase;
  /** Runs work that may keep the database busy for long, without a watchdog reporting a fault. */
  duringMaintenance<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @throws UserError when the input is wrong */
export async function control(request: Request, url: URL, context: ToolContext): Promise<Response> {
  const tool = TOOLS[`${request.method} ${url.pathname}`];
  if (!tool) return Response.json({ error: 'There is no such tool.' }, { status: 404 });
  const result = await tool({ ...context, sql: context.database.sql, query: url.searchParams, request });
  if (result === undefined) return new Response(null, { status: 204 });
  return result instanceof Response ? result : Response.json(result);
}

interface ToolInput extends ToolContext {
  readonly sql: PGlite;
  readonly query: URLSearchParams;
  readonly request: Request;
}

/** Returns a response, or a value to be sent as JSON; undefined sends 204. */
type Tool = (input: ToolInput) => Promise<unknown>;

const TOOLS: Record<string, Tool> = {
  'GET /control/check': ({ sql }) => endOnWrongResults(sql),
  'POST /control/administrator': async ({ database, request }) => {
    const { email, password, siteWords } = AppointmentSchema.parse(await request.json());
    return await ensureAdministrator(database, email, password, siteWords);
  },
  'GET /control/administrators': ({ database }) => readAdministrators(database),
  'POST /control/add-administrator': async ({ database, request }) =>
    addAdministrator(database, await request.text()),
  'POST /control/remove-administrator': async ({ database, request }) => ({
    email: await removeAdministrator(database, await request.text()),
  }),
  'POST /control/administrator-password': async ({ database, request }) =>
    renewPassword(database, await request.text()),
  'GET /control/backup': ({ sql, duringMaintenance }) => duringMaintenance(() => backup(sql)),
  'GET /control/offers': ({ sql }) => offers(sql),
  'GET /control/count': ({ sql, query }) => countUpTo(sql, query),
  'GET /control/unanswered': ({ sql, query }) => readUnanswered(sql, Number(query.get('hours'))),
  'GET /control/published-build': ({ sql }) => publishedBuild(sql),
  'POST /control/publish': async ({ sql, request }) => {
    const { publication, keepOld } = PublishSchema.parse(await request.json());
    return await publish(sql, publication, keepOld);
  },
  'GET /control/messages': ({ sql }) => readMessageState(sql),
  'POST /control/resume-messages': ({ sql }) => readRow(sql, 'select public.resume_messages() as resumed'),
  'POST /control/note-erasure': async ({ dataDir, request }) => noteErasure(dataDir, await request.text()),
  'GET /control/moved-accounts': ({ sql }) => readMovedAccounts(sql),
  'GET /control/moved-rows': ({ sql, query }) =>
    readMovedRows(sql, query.get('kind') ?? '', query.get('after')),
  'POST /control/erase': async ({ sql, request }) =>
    readRow(sql, 'select public.erase_customer($1) as erased', [await request.text()]),
  'POST /control/seed': ({ sql, query, request, duringMaintenance }) =>
    duringMaintenance(async () => seed(sql, Number(query.get('offers')), await request.json())),
};

const PublishSchema = z.object({ publication: PublicationSchema, keepOld: z.boolean() });

/** Without a password, a new administrator gets a random one. */
const AppointmentSchema = z.object({
  email: z.string(),
  password: z.optional(z.string()),
  siteWords: z.optional(z.array(z.string())),
});

/** The build whose catalogue is published; null before the first one, and while the catalogue before it is kept. */
async function publishedBuild(sql: PGlite): Promise<{ build: string | null }> {
  const { rows } = await sql.query<{ build: string | null }>('select build from private.published_catalogue');
  return { build: rows[0]?.build ?? null };
}

async function publish(
  sql: PGlite,
  { entries, hosts, language, build }: z.infer<typeof PublicationSchema>,
  keepOld: boolean,
): Promise<{ version: number }> {
  return await readRow(sql, 'select public.publish_listings($1, $2, $3, $4, $5)::integer as version', [
    JSON.stringify(entries),
    hosts,
    keepOld,
    language,
    build,
  ]);
}

/** Number of offers just before and just after the files of a backup were read: `least-most`. */
export const OFFERS_HEADER = 'x-offers';

/**
 * Archives PGlite's files as they are between two statements. Not compressed, because requests wait meanwhile, and
 * compression would take most of the time.
 */
async function backup(sql: PGlite): Promise<Response> {
  await assertRightResults(sql);
  await sql.exec('checkpoint');
  const before = await countOffers(sql);
  const archive = await sql.dumpDataDir('none');
  const after = await countOffers(sql);
  return new Response(archive, {
    headers: {
      'content-type': 'application/x-tar',
      [OFFERS_HEADER]: `${Math.min(before, after)}-${Math.max(before, after)}`,
    },
  });
}

/** Number of offers in one read: enough to be fast, few enough for little memory. */
const READ_BATCH = 1_000;

/** `yes` or `no`: whether any offer has a message. */
export const MESSAGES_HEADER = 'x-messages';

/** Every offer, newest first, one JSON object a line, with its message if it has one. */
async function offers(sql: PGlite): Promise<Response> {
  await assertRightResults(sql);
  const { messages } = await readRow<{ messages: string }>(
    sql,
    "select case when exists (select from private.offer_messages) then 'yes' else 'no' end as messages",
  );
  let after: { created_at: string; id: string } | undefined;
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows } = await sql.query<{ line: string; created_at: string; id: string }>(
        `select jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object('message', m.message))::text as line,
           o.created_at::text as created_at, o.id
         from public.offers o left join private.offer_messages m on m.offer_id = o.id
         where $1::timestamptz is null or (o.created_at, o.id) < ($1::timestamptz, $2::uuid)
         order by o.created_at desc, o.id desc limit ${READ_BATCH}`,
        [after?.created_at ?? null, after?.id ?? null],
      );
      if (rows.length > 0) {
        controller.enqueue(new TextEncoder().encode(rows.map((row) => `${row.line}\n`).join('')));
      }
      after = rows.at(-1);
      if (rows.length < READ_BATCH) controller.close();
    },
  });
  return new Response(lines, {
    headers: { 'content-type': 'application/x-ndjson', [MESSAGES_HEADER]: messages },
  });
}

/** Counts the offers that are no newer than a given one, or all. */
async function countUpTo(sql: PGlite, newest: URLSearchParams): Promise<{ count: number }> {
  await assertRightResults(sql);
  return await readRow(
    sql,
    `select count(*)::integer as count from public.offers
     where $1::timestamptz is null or (created_at, id) <= ($1::timestamptz, $2::uuid)`,
    [newest.get('created_at'), newest.get('id')],
  );
}

export interface UnansweredOffers {
  readonly count: number;
  /** When the oldest of them arrived, in ISO 8601; null where there is none. */
  readonly oldest: string | null;
}

/** Counts the offers that are still new after some hours, without those that are held. */
async function readUnanswered(sql: PGlite, hours: number): Promise<UnansweredOffers> {
  return await readRow(
    sql,
    `select count(*)::integer as count, to_jsonb(min(created_at)) as oldest from public.offers
     where status = 'pending' and not held and created_at < now() - $1::integer * interval '1 hour'`,
    [hours],
  );
}

/** Adds invented offers for tests, spread over the last year and over the given domains. */
async function seed(sql: PGlite, count: number, domains: unknown): Promise<{ seeded: number }> {
  await sql.query(
    `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, status)
     select ($2::text[])[1 + n % cardinality($2::text[])],
       '$' || to_char(100 + (n * 7919) % 90000, 'FM999,999'),
       (array['Ada','Grace','Alan','Edsger','Barbara','Donald','Margaret','Linus'])[1 + n % 8] || ' Example ' || n,
       'customer' || n || '@example.com',
       now() - (n * interval '1 year' / $1::integer),
       (array['pending','accepted','rejected','negotiating'])[1 + n % 4]
     from generate_series(1, $1::integer) as n`,
    [count, domains],
  );
  return { seeded: count };
}
