/**
 * The data API of the embedded project: the calls of the contract's table, run by PostgreSQL as PostgREST runs them on a hosted
 * project. Each has a transaction of its own, with the role and the claims of its caller, which end with it. What a request
 * brings are bound values: every name in a statement is of the table or of the database's catalogue.
 */
import { CALLS, type Call, type CallName, StatusChangeSchema } from '#contract/calls.ts';
import type { Claims } from '../backend-requests/access-token.ts';
import { readPrefer } from '../backend-requests/rest-headers.ts';
import { changeStatus, readOffers, type Statement } from './offers-statements.ts';

type Role = 'anon' | 'authenticated' | 'service_role';

export interface Caller {
  readonly role: Role;
  /** Of the access token; empty where the key is enough. */
  readonly claims: Partial<Claims>;
}

/** What the calls need of a database, with the rights of its owner: each statement is a transaction. */
export interface Database {
  query<Result>(statement: string, parameters?: unknown[]): Promise<{ rows: Result[] }>;
}

export interface DatabaseCalls {
  readonly serveCall: ServeCall;
  /** Calls a function without a request. @throws an error of PostgreSQL, or why the database cannot be reached */
  callFunction(name: CallName, args: object, caller: Caller): Promise<unknown>;
}

/** Returns undefined when the request is no call that the key opens. */
export type ServeCall = (
  request: Request,
  url: URL,
  caller: Caller,
  key: Key,
) => Promise<Response> | undefined;

/** The public key, with which pages come, or the secret key of the functions and the owner's commands. */
type Key = 'public' | 'secret';

/** A function as the database declares it. `required`: how many of its arguments, the first ones, have no default. */
interface Declared {
  readonly name: string;
  readonly arguments: string[];
  readonly types: string[];
  readonly required: number;
  readonly isVoid: boolean;
}

/**
 * What a statement returns: a result as JSON, and the number of rows in it, as in `100/2500` with the number of all rows where
 * that is asked for; null where there is no result.
 */
interface Row {
  readonly body: string | null;
  readonly count: string | null;
}

/** An error of the request itself, with PostgREST's code. */
class BadRequest extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param database with all migrations */
export async function openDatabaseCalls(database: Database): Promise<DatabaseCalls> {
  for (const statement of RUN_AS) await database.query(statement);
  const declared = await readDeclared(database);
  const serveCall: ServeCall = (request, url, caller, key) => {
    const name = /^\/rest\/v1\/rpc\/(\w+)$/.exec(url.pathname)?.[1] ?? '';
    const isCall = request.method === 'POST' && Object.hasOwn(CALLS, name) && keyOf(name as CallName) === key;
    const called = isCall && url.search === '' ? declared.get(name) : undefined;
    if (called) return serve(database, request, caller, async () => callOf(called, await request.text()));
    if (key !== 'public' || url.pathname !== '/rest/v1/offers') return undefined;
    const query = url.search.slice(1);
    switch (request.method) {
      case 'GET':
        return serve(database, request, caller, async (prefer) =>
          found(readOffers(query, prefer.includes(COUNT))),
        );
      case 'PATCH':
        return serve(database, request, caller, async () => {
          const body = StatusChangeSchema.safeParse(await request.json());
          return found(body.success ? changeStatus(query, body.data.status) : undefined);
        });
      default:
        return undefined;
    }
  };
  return {
    serveCall,
    callFunction: async (name, args, caller) => {
      const called = declared.get(name);
      if (!called) throw new BadRequest(404, 'PGRST202', `Could not find the function public.${name}`);
      const { body } = await runAs(database, caller, callOf(called, JSON.stringify(args)));
      return JSON.parse(body || 'null');
    },
  };
}

function keyOf(name: CallName): Key {
  const { who, byFunction }: Call = CALLS[name];
  return who === 'service' || byFunction ? 'secret' : 'public';
}

async function serve(
  database: Database,
  request: Request,
  caller: Caller,
  statementOf: (prefer: string) => Promise<Statement>,
): Promise<Response> {
  try {
    const prefer = readPrefer(Object.fromEntries(request.headers));
    if (prefer === undefined) throw new BadRequest(400, 'PGRST122', 'A header is not supported.');
    const statement = await statementOf(prefer).catch(rejectUnreadable);
    return respond(request, await runAs(database, caller, statement), statement.first ?? 0, prefer);
  } catch (error) {
    const { code, message, severity } = error as { code: string; message: string; severity?: string };
    if (error instanceof BadRequest) return Response.json({ code, message }, { status: error.status });
    // Otherwise the database is closed, or has ended.
    if (severity !== 'ERROR') throw error;
    return Response.json({ code, message }, { status: statusOf(code, caller.role) });
  }
}

async function runAs(
  database: Database,
  { role, claims }: Caller,
  { text, values }: Statement,
): Promise<Row> {
  const caller = [role, JSON.stringify({ ...claims, role })];
  const { rows } = await database.query<Row>('select * from embedded.run_as($1, $2, $3, $4)', [
    ...caller,
    ...[text, values],
  ]);
  const [row] = rows;
  // Each statement returns one: the database is out of step.
  if (!row) throw new Error('a statement returned no row');
  return row;
}

/**
 * Runs a statement, whose `$1` are the values, with the role and the claims of its caller. They end with the transaction, which
 * is the statement that calls this: four statements would take twice the time. For the owner of the database alone.
 */
const RUN_AS = [
  'create schema if not exists embedded',
  // That of another version may have other arguments, which nothing replaces, or grants, which would stay.
  'drop function if exists embedded.run_as',
  `create function embedded.run_as(
    role text, claims text, statement text, "values" json, out body text, out count text
  ) language plpgsql as $$
  begin
    perform set_config('role', role, true), set_config('request.jwt.claims', claims, true);
    execute statement into body, count using "values";
  end;
  $$`,
  'revoke all on function embedded.run_as(text, text, text, json) from public',
];

/** Preference for the number of all rows. */
const COUNT = 'count=exact';

function respond({ method }: Request, { body, count }: Row, first: number, prefer: string): Response {
  const [rows = 1, all = rows] = (count ?? '1').split('/').map(Number);
  const isCounted = prefer.includes(COUNT);
  if (isCounted && first > all) throw new BadRequest(416, 'PGRST103', 'Requested range not satisfiable');
  const place = rows === 0 ? '*' : `${first}-${first + rows - 1}`;
  const range = { 'content-range': `${place}/${isCounted ? all : '*'}` };
  const isEmpty = count === null || (method === 'PATCH' && !prefer.includes('return=representation'));
  if (isEmpty) return new Response(null, { status: 204, headers: range });
  const headers = { ...range, 'content-type': 'application/json; charset=utf-8' };
  const status = isCounted && rows < all ? 206 : 200;
  return new Response(body ?? 'null', { status, headers });
}

/**
 * Calls a function as PostgREST does: PostgreSQL reads its arguments from one JSON object as it was sent, in the types that the
 * function declares. JavaScript's numbers would lose digits.
 */
function callOf({ name, arguments: names, types, required, isVoid }: Declared, body: string): Statement {
  const given = Object.keys(Object(JSON.parse(body)));
  const isComplete = names.slice(0, required).every((one) => given.includes(one));
  const places = given.map((argument) => names.indexOf(argument));
  if (!isComplete || places.includes(-1)) {
    throw new BadRequest(404, 'PGRST202', `Could not find the function public.${name} with these arguments`);
  }
  const passed = places.map((at) => `"${names[at]}" => a."${names[at]}"`);
  const columns = places.map((at) => `"${names[at]}" ${types[at]}`);
  const from = columns.length > 0 ? ` from json_to_record($1) as a(${columns.join(', ')})` : '';
  const called = `public."${name}"(${passed.join(', ')})`;
  const text = `select ${isVoid ? `${called}::text, null` : `to_json(${called})::text, '1'`}${from}`;
  return { text, values: body };
}

function found(statement: Statement | undefined): Statement {
  if (!statement) throw new BadRequest(400, 'PGRST100', 'This request is not supported.');
  return statement;
}

function rejectUnreadable(error: unknown): never {
  if (error instanceof SyntaxError) throw new BadRequest(400, 'PGRST102', 'Empty or invalid json');
  throw error;
}

/** The HTTP status of an error of PostgreSQL: https://docs.postgrest.org/en/v14/references/errors.html#http-status-codes */
export function statusOf(code: string, role: Role): number {
  if (code === '42501') return role === 'anon' ? 401 : 403;
  if (/^PT[2-5]\d\d$/.test(code)) return Number(code.slice(2));
  return STATUSES.find(([codes]) => codes.some((one) => code.startsWith(one)))?.[1] ?? 400;
}

/** Codes and classes of codes; the first row that has one counts, and 400 without any. */
const STATUSES: readonly [codes: readonly string[], status: number][] = [
  [['53400'], 500],
  [['08', '53', '57P01'], 503],
  [['0L', '0P', '28'], 403],
  [['23503', '23505'], 409],
  [['25006'], 405],
  [['42883', '42P01'], 404],
  [['P0001'], 400],
  [['09', '21000', '25', '2D', '38', '39', '3B', '40', '42P17', '54', '55', '57', '58'], 500],
  [['F0', 'HV', 'P0', 'PT', 'XX'], 500],
];

async function readDeclared(database: Database): Promise<Map<string, Declared>> {
  const { rows } = await database.query<Declared>(
    `select proname as name, to_json(coalesce(proargnames, '{}')) as arguments,
         to_json(proargtypes::regtype[]::text[]) as types, pronargs - pronargdefaults as required,
         prorettype = 'void'::regtype as "isVoid"
       from pg_proc where pronamespace = 'public'::regnamespace and proname = any($1)`,
    [Object.keys(CALLS)],
  );
  return new Map(rows.map((row) => [row.name, row]));
}
