/** The users of the access tests, and statements with their rights. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openDatabaseCalls, type ServeCall } from '../../server/embedded/database-calls.ts';
import type { Price } from '../functions/_shared/contract/price-of.ts';
import type { Limit } from '../functions/_shared/rate-limits.ts';
import type { OfferLimits } from '../functions/order-submit/limits.ts';
import type { Actor, Engine, EngineChoice, Row } from './engines.ts';

export const VISITOR: Actor = { role: 'anon' };
export const FUNCTIONS: Actor = { role: 'service_role' };
export const OWNER: Actor = { role: 'owner' };
/** An administrator whose session admin-auth opened. */
export const ADMINISTRATOR = signedIn();
/** A user who signed in and administers nothing. */
export const STRANGER = signedIn();

/** Seconds. Limits count in windows that begin with the clock: none of these ends before 2033. */
export const WINDOW = 1_000_000_000;

export interface Stage extends Engine {
  /** The only value of the first row. */
  value(actor: Actor, sql: string, parameters?: unknown[]): Promise<unknown>;
  /** Passes when the statement is rejected for missing rights. */
  rejects(actor: Actor, sql: string, parameters?: unknown[]): Promise<void>;
  /** Passes when the function reports that the administrator's session has ended. */
  endsSession(actor: Actor, sql: string, parameters?: unknown[]): Promise<void>;
}

/** Opens an engine with the cast in it. */
export async function openStage(choice: EngineChoice): Promise<Stage> {
  const engine = await choice.open();
  const { as } = engine;
  for (const { userId, email } of [
    { ...ADMINISTRATOR, email: 'owner@example.com' },
    { ...STRANGER, email: 'stranger@example.com' },
  ]) {
    await as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [userId, email]);
  }
  for (const actor of [ADMINISTRATOR, STRANGER]) await openAuthSession({ as }, actor);
  await as(OWNER, 'insert into private.admins (user_id) values ($1)', [ADMINISTRATOR.userId]);
  const { userId, sessionId } = ADMINISTRATOR;
  await as(FUNCTIONS, 'select public.open_admin_session($1, $2, 12, 120)', [userId, sessionId]);
  await publish({ as }, [{ name: 'lap.app', price: '$10,000' }, { name: 'host.example' }]);
  return {
    ...engine,
    value: async (actor, sql, parameters) => Object.values((await as(actor, sql, parameters))[0] ?? {})[0],
    rejects: (actor, sql, parameters) =>
      assert.rejects(as(actor, sql, parameters), (error: { code?: string }) => error.code === '42501', sql),
    endsSession: (actor, sql, parameters) =>
      assert.rejects(as(actor, sql, parameters), (error: { code?: string }) => error.code === 'PT401', sql),
  };
}

/** Empties the tables of offers and of all that belongs to one. */
export async function removeOffers({ maintain }: Pick<Stage, 'maintain'>): Promise<void> {
  await maintain(
    'begin; set local session_replication_role = replica; truncate public.offers cascade; commit',
  );
}

export interface Entry {
  name: string;
  state?: 'for_sale' | 'sold' | 'reserved';
  price?: string;
  value?: string;
  currency?: string;
  minimum?: Price;
}

/** Publishes a catalogue as a build does. */
export async function publish(
  { as }: Pick<Stage, 'as'>,
  entries: Entry[],
  {
    hosts = [],
    keepPrevious = false,
    build = null,
    settings = {},
    readAt = null,
    builtAt = null,
  }: {
    hosts?: string[];
    keepPrevious?: boolean;
    build?: string | null;
    settings?: object;
    readAt?: string | null;
    builtAt?: string | null;
  } = {},
): Promise<number> {
  const statement =
    "select public.publish_listings($1, $2, $3, 'en', $4, $5, settings => $6, read_at => $7) as version";
  const [row] = await as(FUNCTIONS, statement, [
    ...[JSON.stringify(entries), hosts, keepPrevious, build, builtAt],
    ...[JSON.stringify(settings), readAt],
  ]);
  return Number(row?.version);
}

/** What auth stores when a user signs in; the same session twice is one row. */
export async function openAuthSession({ as }: Pick<Stage, 'as'>, actor: SignedIn): Promise<void> {
  await as(OWNER, 'insert into auth.sessions (id, user_id) values ($1, $2) on conflict do nothing', [
    actor.sessionId,
    actor.userId,
  ]);
}

/** A user with a session of their own. */
export function signedIn(userId: string = randomUUID()): SignedIn {
  return { role: 'authenticated', userId, sessionId: randomUUID() };
}

export type SignedIn = Extract<Actor, { role: 'authenticated' }>;

export interface Submission {
  token?: string;
  /** Stands for the hash of the offer's texts. */
  payload?: string;
  email?: string;
  name?: string;
  message?: string;
  locale?: string;
  domain?: string;
  /** The amount, as far as it could be read; a number alone has no currency. */
  price?: Pick<Price, 'amount'> & Partial<Price>;
  /** The text that it was read in. */
  amount?: string;
  /** As order-submit/limits.ts makes them; absent: the offer meets none. */
  limits?: { [list in keyof OfferLimits]?: Limit[] };
  checks?: Limit[];
  expired?: boolean;
  /** Absent: the call leaves the parameter out. */
  messages?: { kind: string; target: string; locale?: string; limits?: object[]; link?: object }[];
}

/** Calls submit_offer as the functions do; without options a plain offer that meets no limit. */
export async function submit(stage: Stage, submission: Submission = {}): Promise<Row> {
  const { messages } = submission;
  const statement = `select public.submit_offer($1, $2, $3, $4, $5, $6${messages ? ', $7' : ''})`;
  return (await stage.value(FUNCTIONS, statement, [
    JSON.stringify({
      domain_name: submission.domain ?? 'lap.app',
      offer_amount: submission.amount ?? '1,000 € <script>',
      customer_name: submission.name ?? 'Ada',
      customer_email: submission.email ?? 'ada@example.com',
      ...(submission.message !== undefined && { message: submission.message }),
      ...(submission.locale !== undefined && { locale: submission.locale }),
      ...(submission.price && { price: submission.price }),
    }),
    submission.token ?? randomUUID(),
    submission.payload ?? 'texts',
    JSON.stringify(submission.limits ?? {}),
    JSON.stringify(submission.checks ?? []),
    submission.expired ?? false,
    ...(messages ? [JSON.stringify(messages)] : []),
  ])) as Row;
}

/** The data API of the embedded project on an engine. */
export async function openCallsOn({ as }: Pick<Engine, 'as'>): Promise<ServeCall> {
  const { serveCall } = await openDatabaseCalls({
    query: async <Result>(sql: string, parameters?: unknown[]) => ({
      rows: (await as(OWNER, sql, parameters)) as Result[],
    }),
  });
  return serveCall;
}

/** A limit that no other test counts on. */
export function limitOf(max: number, bucket = 'test'): Limit {
  return { bucket, key: randomUUID(), max, window: WINDOW };
}

/** Calls functions with the arguments of the table, as PostgREST does: by name, in the types that the function declares. */
export async function statementsOf(
  calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  { as }: Stage,
): Promise<string[]> {
  const functions = await as(
    OWNER,
    `select proname as name, to_jsonb(proargnames) as arguments, to_jsonb(proargtypes::regtype[]::text[]) as types
     from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  return Object.entries(calls).map(([name, values]) => {
    const declared = functions.find((one) => one.name === name) as { arguments: string[]; types: string[] };
    const typeOf = (argument: string) => declared.types[declared.arguments.indexOf(argument)];
    const given = Object.keys(values).map((argument) => `${argument} => a.${argument}`);
    const columns = Object.keys(values).map((argument) => `${argument} ${typeOf(argument)}`);
    const from = `from jsonb_to_record('${JSON.stringify(values)}') as a(${columns.join(', ')})`;
    return `select public.${name}(${given.join(', ')}) ${given.length > 0 ? from : ''}`;
  });
}
