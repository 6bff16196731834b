/** Random requests with random roles and claims against the data API of the embedded project, on both engines. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Caller, ServeCall } from '../../server/embedded/database-calls.ts';
import fc from '../../tests/support/fast-check.ts';
import { REACHING, randomRequest } from '../../tests/support/random-requests.ts';
import { ADMINISTRATOR, OWNER, openCallsOn, openStage, type Stage, submit } from './cast.ts';
import { ENGINES } from './engines.ts';

const EMAIL = 'planted@example.com';
const RUNS = 400;

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
        fc.asyncProperty(randomRequest, async ({ role, claims: given, key, sent: one }) => {
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
