/** The second factor, enforced by the database alone: whatever a caller knows, without an unused code no session opens. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type TOTP, URI } from 'otpauth';
import { ADMINISTRATOR_CALLS, EXPECTED_ACCESS } from '../../commands/hosted/outside-check/expected-access.ts';
import { BACKEND_ROUTES } from '../../server/http/backend-routes.ts';
import { checkResults } from '../functions/_shared/call-database.ts';
import { createLog } from '../functions/_shared/log.ts';
import { Rejection } from '../functions/_shared/rejection.ts';
import { readSettings } from '../functions/_shared/settings.ts';
import type { AuthServer } from '../functions/admin-auth/auth-server.ts';
import { enrol as enrolByCalls } from '../functions/admin-auth/factor.ts';
import { createSignIn } from '../functions/admin-auth/handler.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  OWNER,
  openAuthSession,
  openCallsOn,
  openStage,
  type Stage,
  signedIn,
  statementsOf,
  submit,
  VISITOR,
} from './cast.ts';
import { ENGINES } from './engines.ts';

const { userId } = ADMINISTRATOR;

for (const choice of ENGINES) {
  describe(`the second factor on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
      await submit(stage);
    });
    beforeEach(async () => {
      await stage.as(FUNCTIONS, 'select public.remove_factor($1)', [userId]);
      assert.equal(await enrol(), true);
    });
    after(() => stage.close());

    const enrol = (id = userId, recoveryHashes = ['one', 'two']) =>
      stage.value(FUNCTIONS, `select public.set_factor($1, 'sealed', 'key', 100, $2)`, [id, recoveryHashes]);
    const open = async (
      step: number | null = null,
      recovery: string | null = null,
      actor = signedIn(userId),
    ) => {
      await openAuthSession(stage, actor);
      return (await stage.value(FUNCTIONS, 'select public.open_admin_session($1, $2, 12, 120, $3, $4)', [
        actor.userId,
        actor.sessionId,
        step,
        recovery,
      ])) as { status: string; left?: number; wrong?: number };
    };
    const statusOf = async (...attempt: Parameters<typeof open>) => (await open(...attempt)).status;
    const startAnew = () => stage.as(FUNCTIONS, 'select public.end_admin_sessions($1)', [userId]);
    const readsOffers = async (actor: typeof ADMINISTRATOR) =>
      (await stage.as(actor, 'select id from public.offers')).length > 0;

    test('an administrator without one opens a session with the password alone', async () => {
      await stage.as(FUNCTIONS, 'select public.remove_factor($1)', [userId]);
      assert.deepEqual(await open(), { status: 'opened' });
      assert.deepEqual(await open(0), { status: 'opened' });
    });

    test('the right password without a code gives no data by any route or function', async () => {
      const granted = EXPECTED_ACCESS.flatMap(
        (line) => /^authenticated: EXECUTE on (\w+)$/.exec(line)?.[1] ?? [],
      );
      const routed = Object.keys(BACKEND_ROUTES).flatMap(
        (path) => /^\/rest\/v1\/rpc\/(\w+)$/.exec(path)?.[1] ?? [],
      );
      const calls = Object.fromEntries(
        [...new Set([...granted, ...routed])].map((name) => {
          assert.ok(ADMINISTRATOR_CALLS[name], `${name} has no sample call`);
          return [name, ADMINISTRATOR_CALLS[name]] as const;
        }),
      );
      const statements = await statementsOf(calls, stage);
      assert.ok(statements.length > 10);
      // The platform's own sign-in gives such a session; admin-auth gives none at all.
      const session = signedIn(userId);
      assert.equal(await statusOf(null, null, session), 'code_required');
      const reads = [
        ...statements,
        'select * from public.offers',
        `update public.offers set status = 'accepted' returning id`,
      ];
      let gave = 0;
      for (const actor of [session, VISITOR]) {
        for (const statement of reads) {
          const rows = await stage.as(actor, statement).catch((error: { code?: string }) => {
            assert.ok(['PT401', '42501'].includes(error.code ?? ''), `${statement}: ${error.code}`);
            return [];
          });
          if (rows.some((row) => Object.values(row).some((value) => value !== false))) gave += 1;
        }
      }
      assert.equal(gave, 0);
    });

    // PGlite takes 20 times as long for each.
    const [uses, networks] = choice.isConcurrent ? [1_000, 334] : [80, 112];
    test(`a code opens one session, and is rejected ${uses} times of ${uses} after it, also of two at once`, async () => {
      let rejected = 0;
      for (let step = 101; step <= 100 + uses / 8; step += 1) {
        const session = signedIn(userId);
        const atOnce = (await Promise.all([statusOf(step), statusOf(step, null, session)])).sort();
        assert.deepEqual(atOnce, ['opened', 'wrong_code']);
        rejected += 1;
        for (let time = 1; time <= 7; time += 1) {
          if ((await statusOf(step - (time % 3), null, session)) === 'wrong_code') rejected += 1;
        }
        await startAnew();
      }
      assert.equal(rejected, uses);
    });

    test('wrong codes count for the account: 10 in 24 hours, then a recovery code alone opens', async () => {
      for (let wrong = 1; wrong <= 10; wrong += 1) {
        assert.deepEqual(await open(0), {
          status: 'wrong_code',
          sealed: 'sealed',
          key_id: 'key',
          left: 2,
          wrong,
        });
      }
      assert.equal(await statusOf(200), 'too_many_codes');
      assert.equal(await statusOf(null, 'three'), 'too_many_codes');
      assert.equal(await statusOf(), 'code_required');
      const session = signedIn(userId);
      assert.equal((await open(null, 'one', session)).left, 1);
      assert.equal(await readsOffers(session), true);
      for (const [hours, status] of [
        [23, 'too_many_codes'],
        [1, 'opened'],
      ] as const) {
        const wrongAt = `array(select w - $1 * interval '1 hour' from unnest(wrong_at) as w)`;
        await stage.as(OWNER, `update private.admin_factors set wrong_at = ${wrongAt}`, [hours]);
        assert.equal(await statusOf(200), status, `${hours} hours later`);
      }
    });

    test('of 40 guesses at once 10 count, and none after them opens', async () => {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(0)));
      assert.equal(statuses.filter((status) => status === 'wrong_code').length, 10);
      assert.equal(await statusOf(200), 'too_many_codes');
      await startAnew();
      assert.equal(await statusOf(200), 'opened', 'a new password begins anew');
    });

    test('a recovery code opens one session, also of two at once', async () => {
      assert.equal(await statusOf(101), 'opened');
      const results = await Promise.all([open(null, 'one'), open(null, 'one')]);
      assert.deepEqual(results.map(({ status }) => status).sort(), ['opened', 'wrong_code']);
      assert.equal(await statusOf(null, 'one'), 'wrong_code');
      assert.deepEqual(await statusOf(null, 'two'), 'opened');
      assert.equal(await statusOf(101), 'wrong_code', 'no code that was used is good again');
    });

    test('a right code sent ten times at once is no wrong one', async () => {
      const uses: [step: number | null, recovery?: string][] = [[101], [null, 'one']];
      for (const use of uses) {
        const results = await Promise.all(Array.from({ length: 10 }, () => open(...use)));
        const statuses = results.map(({ status }) => status).sort();
        assert.deepEqual(statuses, ['opened', ...Array<string>(9).fill('wrong_code')]);
        assert.ok(
          results.every(({ status, wrong = 0 }) => status === 'opened' || wrong === 0),
          'none is reported',
        );
      }
      assert.equal((await open(0)).wrong, 1);
      assert.equal((await open(null, 'three')).wrong, 2);
    });

    test('enrolling and removing end the sessions, and a factor is not written over', async () => {
      const session = signedIn(userId);
      assert.equal(await statusOf(100), 'wrong_code', 'that which confirmed it was used');
      assert.equal(await statusOf(101, null, session), 'opened');
      assert.equal(await enrol(), false);
      assert.equal(await readsOffers(session), true);
      assert.equal(await stage.value(FUNCTIONS, 'select public.remove_factor($1)', [userId]), true);
      assert.equal(await readsOffers(session), false);
      const next = signedIn(userId);
      assert.equal(await statusOf(null, null, next), 'opened');
      assert.equal(await enrol(), true);
      assert.equal(await readsOffers(next), false);
    });

    test(`an enrolled factor signs in by its code alone, and ${networks} networks with the password have 10 tries`, async () => {
      await stage.as(FUNCTIONS, 'select public.remove_factor($1)', [userId]);
      const { settings, callDatabase, revoked, trySigningIn } = await openSignIn(stage);
      const enrolment = { secretKey: settings.secretKey, callDatabase };
      const made = { user_id: userId, email: 'owner@example.com' };
      const { url, sealed } = (await enrolByCalls(enrolment, made)).body as { url: string; sealed: string };
      const totp = URI.parse(url) as TOTP;
      await enrolByCalls(enrolment, { ...made, sealed, code: totp.generate() });

      assert.equal(await trySigningIn(0), 'code_required');
      const next = { timestamp: Date.now() + 30_000 };
      const atOnce = [1, 2].map((network) => trySigningIn(network, totp.generate(next)));
      assert.deepEqual((await Promise.all(atOnce)).sort(), ['opened', 'wrong_code']);
      const past = totp.generate({ timestamp: 0 });
      const outcomes = ['wrong_code'];
      for (let first = 3; outcomes.length < networks; first += 111) {
        const tries = Array.from({ length: 111 }, (_, at) => trySigningIn(first + at, past));
        outcomes.push(...(await Promise.all(tries)));
      }
      const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
      // One is the code that was used up.
      assert.deepEqual([count('wrong_code'), count('too_many_codes')], [11, networks - 11]);
      assert.equal(revoked(), networks + 1);
    });

    test('codes, wrong ones, sessions and factors are of one administrator each', async () => {
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        randomUUID(),
      ]);
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [other.userId]);
      const statusOfOther = (step: number | null, recovery: string | null = null) =>
        statusOf(step, recovery, signedIn(other.userId));
      let session = signedIn(userId);
      assert.equal(await statusOf(101, null, session), 'opened');
      assert.equal(await enrol(other.userId, ['three']), true);
      assert.equal(await readsOffers(session), true, 'another one enrols');

      assert.equal(await statusOfOther(null, 'one'), 'wrong_code');
      for (let wrong = 2; wrong <= 10; wrong += 1) await statusOfOther(0);
      assert.equal(await statusOfOther(200), 'too_many_codes');
      assert.equal(await statusOf(102), 'opened', 'none of the wrong ones was theirs');
      await startAnew();
      assert.equal(await statusOfOther(200), 'too_many_codes', 'another one has a new password');
      assert.equal(await statusOfOther(null, 'three'), 'opened');

      session = signedIn(userId);
      assert.equal(await statusOf(103, null, session), 'opened');
      await stage.as(FUNCTIONS, 'select public.remove_factor($1)', [other.userId]);
      assert.equal(await readsOffers(session), true, 'another one removes a factor');
      assert.equal(await statusOf(), 'code_required');
      await stage.as(FUNCTIONS, 'select public.revoke_administrator($1)', [other.userId]);
      assert.equal(await readsOffers(session), true, 'another one is revoked');
    });

    test('a factor goes with its administrator, and nobody else has one', async () => {
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        randomUUID(),
      ]);
      assert.equal(await enrol(other.userId), false);
      await stage.as(OWNER, `insert into private.admins (user_id, created_at) values ($1, '2020-01-01')`, [
        other.userId,
      ]);
      const factors = async () => {
        const read = await stage.value(FUNCTIONS, 'select public.read_administrators()');
        return (read as { user_id: string; has_factor: boolean }[]).map((one) => [
          one.user_id,
          one.has_factor,
        ]);
      };
      // The first one first; one that is stays one since the same time.
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [other.userId]);
      const before = [
        [other.userId, false],
        [userId, true],
      ];
      assert.deepEqual(await factors(), before);
      assert.equal(await enrol(other.userId), true);
      await stage.as(FUNCTIONS, 'select public.revoke_administrator($1)', [other.userId]);
      assert.deepEqual(
        await stage.as(OWNER, 'select 1 from private.admin_factors where user_id = $1', [other.userId]),
        [],
      );
    });
  });
}

/** `admin-auth` with the functions of a database, for clients who have the right password of the administrator. */
async function openSignIn(stage: Stage) {
  const settings = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
  const serveCall = await openCallsOn(stage);
  const callDatabase = checkResults(async (name, args) => {
    const url = new URL(`http://localhost/rest/v1/rpc/${name}`);
    const request = new Request(url, { method: 'POST', body: JSON.stringify(args) });
    const response = await serveCall(request, url, { role: 'service_role', claims: {} }, 'secret');
    assert.ok(response?.ok, name);
    return response.status === 204 ? null : await response.json();
  });
  let revoked = 0;
  const auth: AuthServer = {
    tryPassword: async () => {
      const actor = signedIn(userId);
      await openAuthSession(stage, actor);
      const claims = Buffer.from(JSON.stringify({ session_id: actor.sessionId })).toString('base64url');
      const session = { access_token: `x.${claims}.x`, refresh_token: 'x', user: { id: userId } };
      return { outcome: 'session', session };
    },
    revoke: async () => {
      revoked += 1;
    },
  };
  const queue = {
    run: async <Value>(_: boolean, admit: () => Promise<void>, task: () => Promise<Value>) => {
      await admit();
      return await task();
    },
  };
  const signIn = createSignIn({
    settings,
    auth,
    queue,
    callDatabase,
    log: createLog(console),
    notify: () => {},
  });
  return {
    settings,
    callDatabase,
    revoked: () => revoked,
    /** The code of the rejection, or `opened`. */
    trySigningIn: async (network: number, code?: string): Promise<string> => {
      const request = new Request('http://localhost/functions/v1/admin-auth', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'cf-connecting-ip': `2001:db8:${network.toString(16)}::1`,
        },
        body: JSON.stringify({ email: 'owner@example.com', password: 'right', code }),
      });
      try {
        return (await signIn(request)).status === 200 ? 'opened' : 'other';
      } catch (error) {
        if (error instanceof Rejection) return error.code;
        throw error;
      }
    },
  };
}
