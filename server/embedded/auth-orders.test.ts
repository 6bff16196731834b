/** Sessions in random orders of sign-in, refresh, sign-out and time, against a model of the rules (auth-server.ts). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from '../../tests/support/fast-check.ts';
import { makeAdministrator, openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';

const ORDERS = 10_000;
const STEPS = 5;
/** How long a used token gives the present one, in milliseconds. */
const REUSE_MS = 10_000;

let database: OpenDatabase;
let user: { id: string; hash: string };
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, { email: 'owner@example.com', password: 'correct horse battery' });
  const found = await database.sql.query<typeof user>(
    'select id, encrypted_password as hash from auth.users',
  );
  user = found.rows[0] ?? { id: '', hash: '' };
});
after(() => database.close());

interface Session {
  readonly id: string;
  isOpen: boolean;
  /** The last one is unused. */
  readonly tokens: { readonly token: string; usedAt?: number }[];
}

/** Token of all that the order was given: 0 is the newest one. */
const Step = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ call: 'sign-in' as const, token: 0 }) },
  { weight: 6, arbitrary: fc.record({ call: fc.constant('refresh' as const), token: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('sign-out' as const), token: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.constant({ call: 'nothing' as const, token: 0 }) },
);
const Order = fc.array(Step, { minLength: STEPS, maxLength: STEPS });
const Pause = fc.constantFrom(0, 1, REUSE_MS / 2, REUSE_MS - 1, REUSE_MS, REUSE_MS + 1, 600_000, 86_400_000);

test(`${ORDERS} random orders end as the model says`, async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 29) });
  const orders = fc.sample(Order, ORDERS).map((steps) => ({ steps, sessions: [] as Session[] }));
  const seen = new Set<string>();
  for (const [step, pause] of fc.sample(Pause, STEPS).entries()) {
    context.mock.timers.tick(pause);
    const calls = orders.map(({ steps, sessions }) => ({
      ...(steps[step] ?? { call: 'nothing' as const, token: 0 }),
      sessions,
      newToken: randomUUID(),
    }));
    const {
      signIns = [],
      refreshes = [],
      signOuts = [],
    } = Object.groupBy(calls, ({ call, sessions }) => {
      if (call === 'sign-in' || sessions.length === 0) return 'signIns';
      return call === 'refresh' ? 'refreshes' : call === 'sign-out' ? 'signOuts' : 'none';
    });
    await signIn(signIns);
    await refresh(refreshes, seen);
    await signOut(signOuts);
  }
  const { rows } = await database.sql.query<{ id: string; token: string }>(
    'select s.id, t.token from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id where not t.revoked',
  );
  const open = orders.flatMap(({ sessions }) => sessions.filter(({ isOpen }) => isOpen));
  const expected = open.map(({ id, tokens }) => `${id} ${tokens.at(-1)?.token}`);
  assert.deepEqual(rows.map(({ id, token }) => `${id} ${token}`).sort(), expected.sort());
  assert.deepEqual([...seen].sort(), [
    'new',
    'present',
    'refresh_token_already_used',
    'refresh_token_not_found',
  ]);
});

interface Call {
  readonly token: number;
  readonly sessions: Session[];
  readonly newToken: string;
}

/** Calls of a kind are one statement, as if one came after the other: no two share a session. */
async function signIn(calls: readonly Call[]): Promise<void> {
  const ids = calls.map(() => randomUUID());
  await database.sql.query(
    `select embedded.open_session($1, $2, session, token) from unnest($3::uuid[], $4::text[]) as c (session, token)`,
    [user.id, user.hash, ids, calls.map(({ newToken }) => newToken)],
  );
  for (const [at, { sessions, newToken }] of calls.entries()) {
    sessions.push({ id: ids[at] ?? '', isOpen: true, tokens: [{ token: newToken }] });
  }
}

async function refresh(calls: readonly Call[], seen: Set<string>): Promise<void> {
  const given = calls.map(({ token, sessions }) => {
    const all = sessions.flatMap(({ tokens }) => tokens);
    return all.at(-1 - (token % all.length))?.token ?? '';
  });
  const { rows } = await database.sql.query<{ result: string }>(
    `select coalesce(r.problem, r.refresh_token) as result
     from unnest($1::text[], $2::text[]) with ordinality as c (given, new_token, number)
     cross join embedded.refresh_session(given, new_token) r order by number`,
    [given, calls.map(({ newToken }) => newToken)],
  );
  for (const [at, { sessions, newToken }] of calls.entries()) {
    const expected = modelRefresh(sessions, given[at] ?? '', newToken);
    assert.equal(rows[at]?.result, expected, JSON.stringify({ sessions, given: given[at] }));
    seen.add(expected.startsWith('refresh_') ? expected : expected === newToken ? 'new' : 'present');
  }
}

function modelRefresh(sessions: Session[], given: string, newToken: string): string {
  const session = sessions.find(({ tokens }) => tokens.some(({ token }) => token === given));
  if (!session?.isOpen) return 'refresh_token_not_found';
  const at = session.tokens.findIndex(({ token }) => token === given);
  const used = session.tokens[at];
  const last = session.tokens.length - 1;
  if (used && at === last) {
    used.usedAt = Date.now();
    session.tokens.push({ token: newToken });
    return newToken;
  }
  if (at === last - 1 || Date.now() <= (used?.usedAt ?? 0) + REUSE_MS)
    return session.tokens[last]?.token ?? '';
  session.isOpen = false;
  return 'refresh_token_already_used';
}

async function signOut(calls: readonly Call[]): Promise<void> {
  const ended = calls.flatMap(({ token, sessions }) => sessions.at(-1 - (token % sessions.length)) ?? []);
  await database.sql.query('delete from auth.sessions where id = any($1::uuid[])', [
    ended.map(({ id }) => id),
  ]);
  for (const session of ended) session.isOpen = false;
}
