/** Random requests with random roles and claims against the data API of the embedded project, on both engines. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CALLS } from '#contract/calls.ts';
import type { Caller, ServeCall } from '../../server/embedded/database-calls.ts';
import { HOSTILE_TEXTS } from '../../tests/abuse/hostile-texts.ts';
import fc from '../../tests/support/fast-check.ts';
import { ADMINISTRATOR, OWNER, openCallsOn, openStage, STRANGER, type Stage, submit } from './cast.ts';
import { ENGINES } from './engines.ts';

const EMAIL = 'planted@example.com';
const RUNS = 400;

const ids = [ADMINISTRATOR, STRANGER].flatMap(({ userId, sessionId }) => [userId, sessionId]);
const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, ...ids, 'service_role', 'postgres', 'anon'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
/** As a token can have them, and never the administrator’s user and session together. */
const claims = fc
  .record(
    {
      sub: fc.oneof(fc.constantFrom(...ids), text),
      session_id: fc.oneof(text, fc.jsonValue({ maxDepth: 2 })),
      role: text,
      aud: text,
      x: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .filter(({ sub, session_id }) => sub !== ADMINISTRATOR.userId || session_id !== ADMINISTRATOR.sessionId);
const value = fc.oneof(
  text,
  fc.constantFrom('*', 'eq.pending', 'is.false', `eq.${ids[0]}`, 'created_at.desc'),
);
const parameter = fc.oneof(
  fc.constantFrom(['select', '*'], ['order', 'created_at.desc'], ['limit', '5'], ['held', 'is.false']),
  fc.tuple(fc.constantFrom('select', 'order', 'limit', 'id', 'status', 'held', 'or', 'x'), value),
);
const query = fc
  .uniqueArray(parameter, { maxLength: 3, selector: ([name]) => name })
  .map((all) => new URLSearchParams(all.map(([name = '', one = '']) => [name, one.toWellFormed()])));
const body = fc.dictionary(
  fc.constantFrom('filter', 'offer_id', 'email', 'names', 'page_size', 'x'),
  fc.jsonValue(),
);
const call = fc.constantFrom(...Object.entries(CALLS));
const sent = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'HEAD', 'DELETE'), path: query.map((one) => `offers?${one}`) }),
  fc.record({
    method: fc.constant('PATCH'),
    path: query.map((one) => `offers?id=eq.${ids[0]}&${one}`),
    body: fc.constant({ status: 'accepted' }),
  }),
  call.map(([name, { sample }]) => ({ method: 'POST', path: `rpc/${name}`, body: sample as object })),
  fc.record({ method: fc.constant('POST'), path: call.map(([name]) => `rpc/${name}`), body }),
);
const request = fc.record({
  sent: sent as fc.Arbitrary<{ method: string; path: string; body?: object }>,
  role: fc.constantFrom('anon' as const, 'authenticated' as const),
  claims,
  key: fc.constantFrom('public' as const, 'secret' as const),
});

/** Requests that get through to the database, whatever the random ones do. */
const REACHING: (typeof request extends fc.Arbitrary<infer Sent> ? Sent : never)[] = [
  {
    sent: { method: 'GET', path: 'offers?' },
    role: 'authenticated',
    claims: { sub: STRANGER.userId },
    key: 'public',
  },
  { sent: { method: 'GET', path: 'offers?' }, role: 'anon', claims: {}, key: 'public' },
  {
    sent: { method: 'POST', path: 'rpc/remove_expired', body: {} },
    role: 'authenticated',
    claims: {},
    key: 'secret',
  },
  {
    sent: { method: 'POST', path: 'rpc/remove_expired', body: {} },
    role: 'authenticated',
    claims: {},
    key: 'public',
  },
];

for (const choice of ENGINES) {
  describe(`random calls, on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    let serveCall: ServeCall;
    before(async () => {
      stage = await openStage(choice);
      serveCall = await openCallsOn(stage);
      await submit(stage, { email: EMAIL });
    });
    after(() => stage.close());

    async function send(
      { method, path, body }: { method: string; path: string; body?: object },
      caller: Caller,
      key: 'public' | 'secret',
    ) {
      const url = new URL(`http://localhost/rest/v1/${path}`);
      const request = new Request(url, { method, ...(body && { body: JSON.stringify(body) }) });
      const response = await serveCall(request, url, caller, key);
      return { status: response?.status ?? 404, text: (await response?.text()) ?? '' };
    }
    const offers = () => stage.as(OWNER, 'select * from public.offers order by id');

    test('random queries, roles and claims return and change no row of another role', async () => {
      const before = await offers();
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(request, async ({ role, claims: given, key, sent: one }) => {
          const { status, text: found } = await send(one, { role, claims: given as Caller['claims'] }, key);
          statuses.add(status);
          assert.ok(!found.includes(EMAIL), `${status}: ${found}`);
          assert.ok(status < 500, `${status}: ${found}`);
        }),
        { numRuns: RUNS, examples: REACHING.map((one) => [one]) },
      );
      assert.deepEqual(await offers(), before);
      const [state] = await stage.as(OWNER, `select current_user as role, current_setting('role') as set`);
      assert.deepEqual(state, { role: 'postgres', set: 'none' });
      for (const status of [200, 401, 403, 404]) assert.ok(statuses.has(status), [...statuses].join());
    });

    test('the administrator’s claims read the row', async () => {
      const { userId: sub, sessionId: session_id } = ADMINISTRATOR;
      const caller = { role: 'authenticated', claims: { sub, session_id } } as const;
      const read = { method: 'GET', path: 'offers' };
      assert.ok((await send(read, caller, 'public')).text.includes(EMAIL));
    });
  });
}
