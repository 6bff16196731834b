/**
 * Every lock of the schema, with two transactions at once: the first one is held open, the second one begins meanwhile, and
 * what it leaves depends on the lock. The table is compared with the functions of the database, so that a lock without a case
 * fails here.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  removeOffers,
  type Stage,
  submit,
} from './cast.ts';
import { type Actor, ENGINES } from './engines.ts';

/** A call of one of two transactions: with whose rights, and the statement with its parameters. */
type Call = readonly [Actor, string, ...unknown[]];

interface LockCase {
  /** What the lock is for. */
  readonly title: string;
  /** Prepares rows; returns the call whose transaction is held open, and the one that begins meanwhile. */
  readonly calls: () => Promise<{ held: Call; second: Call }>;
  /** Whether the second call ends before the first transaction does. */
  readonly skips?: true;
  /** What the second call returned, its SQLSTATE where it failed, or what `read` finds afterwards. */
  readonly result: unknown;
  readonly read?: () => Promise<unknown>;
}

const MAILBOX = 'mailto:owner@example.com';
/** Locks as they stand in the functions, and calls of those that take one. The clause of a policy is none: it is in no function. */
const LOCK =
  /\bfor (?:no key )?update(?: skip locked)?|\bfor (?:key )?share\b|\block table \S+|\bpg_advisory\w+\([^;]*|\bprivate\.lock_\w+/g;
const WAIT_TIMEOUT_MS = 20_000;

const [POSTGRES] = ENGINES.filter(({ isConcurrent }) => isConcurrent);

describe('locks between two transactions', {
  skip: POSTGRES?.missing ?? 'no engine runs statements at once',
}, () => {
  let stage: Stage;
  before(async () => {
    if (POSTGRES) stage = await openStage(POSTGRES);
  });
  after(() => stage.close());
  beforeEach(async () => {
    await removeOffers(stage);
    await sql('truncate private.rate_limits, private.name_changes');
    await sql('update private.message_state set paused_before = null');
    await sql('delete from private.admins where user_id <> $1', ADMINISTRATOR.userId);
    await sql('update private.published_catalogue set built_at = null');
    await publish(stage, [{ name: 'lap.app', price: '$10,000' }, { name: 'host.example' }]);
  });

  const sql = (statement: string, ...parameters: unknown[]) => stage.as(OWNER, statement, parameters);
  const value = (statement: string, ...parameters: unknown[]) => stage.value(OWNER, statement, parameters);
  const json = (part: unknown) => JSON.stringify(part);

  /** An offer of this moment for a name that is for sale. */
  async function offer(domain = 'lap.app', messages?: { kind: string; target: string }[]): Promise<string> {
    const { id } = await submit(stage, {
      domain,
      email: `${randomUUID()}@example.com`,
      ...(messages && { messages }),
    });
    return String(id);
  }

  const offerCall = (submission: object, messages: object[] = []): Call => [
    FUNCTIONS,
    `select public.submit_offer($1, $2, 'texts', '{}', messages => $3)`,
    json({
      domain_name: 'lap.app',
      offer_amount: '$1',
      customer_name: 'Ada',
      customer_email: 'ada@example.com',
      ...submission,
    }),
    randomUUID(),
    json(messages),
  ];
  const publication = (entries: object[], builtAt: string | null = null): Call => [
    FUNCTIONS,
    `select public.publish_listings($1, '{}', false, built_at => $2)`,
    json(entries),
    builtAt,
  ];
  const nameChange = (from: string | null, to: string, state = to): Call => [
    ADMINISTRATOR,
    `select public.change_names(gen_random_uuid(), $1) ->> 'outcome'`,
    json([{ name: 'lap.app', field: 'state', from, to, listing: { state } }]),
  ];
  const SOLD = [{ name: 'lap.app', state: 'sold' }];
  const stateOf = (name: string) => value('select state from private.listings where name = $1', name);
  const ownerMove = (id: string, move: object): Call => [
    ADMINISTRATOR,
    `select public.negotiate_as_owner($1, $2) ->> 'outcome'`,
    id,
    json({ seen: 1, ...move }),
  ];
  const readable = ([actor, statement, ...parameters]: Call) => [actor, statement, parameters] as const;
  const COUNTER = { kind: 'counter', amount: '$2' };
  const setStatus = (id: string, status: string): Call => [
    ADMINISTRATOR,
    'update public.offers set status = $2 where id = $1',
    id,
    status,
  ];
  /** A new link of the buyer's in place of the one with which the buyer makes a move. */
  const replacedLink = async () => {
    const id = await offer();
    const [former, next] = ['a', 'b'].map((sign) => sign.repeat(64));
    const replace = (number: number, hash = ''): Call => [
      ADMINISTRATOR,
      `select public.negotiate_as_owner($1, link => $2) ->> 'outcome'`,
      id,
      json({ number, hash, nonce: 'a'.repeat(32), replace: true }),
    ];
    await stage.as(...readable(replace(1, former)));
    const move = json({ kind: 'withdraw', seen: 1 });
    return {
      held: replace(2, next),
      second: [
        FUNCTIONS,
        `select public.negotiate_as_buyer($1, '[]', $2) ->> 'outcome'`,
        former,
        move,
      ] as const,
    };
  };
  /** A change of the state of mail servers and webhooks. */
  const serverChange: Call = [OWNER, 'select private.lock_messages()'];
  const acquire: Call = [
    FUNCTIONS,
    `select jsonb_path_query_array(public.acquire_messages(50, 60), '$[*].ids.size()')`,
  ];
  /** Locks the messages of an offer as a failed try does that is marked meanwhile. */
  const lockMessages = (id: string): Call => [
    OWNER,
    'update private.messages set reason = reason where offer_id = $1',
    id,
  ];
  const expiredLimit = async () => {
    await sql(
      `insert into private.rate_limits (bucket, key_hash, window_start, window_end, hits)
       values ('expired', 'a', now() - interval '2 hours', now() - interval '1 hour', 1)`,
    );
    return [OWNER, `update private.rate_limits set hits = hits where bucket = 'expired'`] as const;
  };
  const expiredLimits = () =>
    value(`select count(*)::integer from private.rate_limits where bucket = 'expired'`);

  /** An administrator without a session, in whose place two calls stand. */
  async function administrator() {
    const userId = randomUUID();
    await sql('insert into auth.users (id, email) values ($1, $2)', userId, `${userId}@example.com`);
    await sql('insert into private.admins (user_id) values ($1)', userId);
    const open: Call = [
      FUNCTIONS,
      `select public.open_admin_session($1, $2, 12, 120) ->> 'status'`,
      userId,
      randomUUID(),
    ];
    const enrol: Call = [FUNCTIONS, `select public.set_factor($1, 'sealed', 'key', 1, '{}')`, userId];
    const revoke: Call = [FUNCTIONS, 'select public.revoke_administrator($1)', userId];
    return { open, enrol, revoke };
  }

  /** By function, then by the lock's words; a function with two of the same words has them once for each. */
  const CASES: Record<string, LockCase[]> = {
    'private.count_hits: for update skip locked': [
      {
        title: 'hits are counted while another transaction has expired ones',
        // One call in a hundred removes them.
        calls: async () => ({
          held: await expiredLimit(),
          second: [
            OWNER,
            `select max(private.count_hits($1)) from generate_series(1, 3000)`,
            json([limitOf(9_999)]),
          ],
        }),
        skips: true,
        result: 0,
      },
    ],
    "public.publish_listings: pg_advisory_xact_lock(hashtext('private.listings'))": [
      {
        title: 'of two publications the second one replaces the names of the first',
        calls: async () => ({
          held: publication([{ name: 'one.example' }]),
          second: publication([{ name: 'two.example' }]),
        }),
        result: ['two.example'],
        read: () => value('select array_agg(name) from private.listings'),
      },
      {
        title: 'an older build is rejected while the newer one is published',
        calls: async () => ({
          held: publication([{ name: 'lap.app' }, { name: 'host.example' }], '2026-02-02'),
          second: publication([{ name: 'two.example' }], '2026-01-01'),
        }),
        result: 'PT409',
      },
    ],
    "public.change_names: pg_advisory_xact_lock(hashtext('private.listings'))": [
      {
        title: 'of two administrators who change a name at once the second one learns of the first',
        calls: async () => ({ held: nameChange(null, 'reserved'), second: nameChange(null, 'sold') }),
        result: 'changed',
      },
      {
        title: 'a change waits for the publication, and stays',
        calls: async () => ({
          held: publication([{ name: 'lap.app', price: '$1' }]),
          second: nameChange(null, 'sold'),
        }),
        result: 'sold',
        read: () => stateOf('lap.app'),
      },
      {
        title: 'a publication waits for the change that its build did not read, and leaves it',
        calls: async () => ({
          held: nameChange(null, 'sold'),
          second: publication([{ name: 'lap.app' }]),
        }),
        result: 'sold',
        read: () => stateOf('lap.app'),
      },
      {
        title: 'an offer waits for the change that sells its name',
        calls: async () => ({ held: nameChange(null, 'sold'), second: offerCall({}) }),
        result: { outcome: 'not_for_sale', state: 'sold' },
      },
    ],
    "public.mark_name_changes: pg_advisory_xact_lock(hashtext('private.listings'))": [
      {
        title: 'a dropped change gives nothing back over one that is made meanwhile',
        calls: async () => {
          await stage.as(...readable(nameChange(null, 'reserved')));
          const dropped = await value(
            `select jsonb_build_array(jsonb_build_object('id', id, 'found', null)) from private.name_changes`,
          );
          return {
            held: nameChange('reserved', 'sold'),
            second: [FUNCTIONS, `select public.mark_name_changes('{}', $1)`, json(dropped)],
          };
        },
        result: 'sold',
        read: () => stateOf('lap.app'),
      },
    ],
    "private.lock_moves: pg_advisory_xact_lock(hashtextextended('private.offer_moves ' || name, 0))": [
      {
        title: 'of two offers for a name one is accepted',
        calls: async () => ({
          held: ownerMove(await offer(), { kind: 'accept' }),
          second: ownerMove(await offer(), { kind: 'accept' }),
        }),
        result: 'taken',
      },
    ],
    'private.make_move: private.lock_moves': [
      {
        title: 'an offer is accepted once the acceptance of another one for its name was taken back',
        calls: async () => {
          const id = await offer();
          await stage.as(...readable(ownerMove(id, { kind: 'accept' })));
          return {
            held: ownerMove(id, { kind: 'take_back', seen: 2 }),
            second: ownerMove(await offer(), { kind: 'accept' }),
          };
        },
        result: 'made',
      },
    ],
    'private.change_deal: private.lock_moves': [
      {
        title: 'a way to pay is chosen once the deal ahead of it was taken back',
        calls: async () => {
          await sql(`update private.published_catalogue set settings = '{"closing": {"en": "IBAN"}}'`);
          const [ahead, id] = [await offer(), await offer()];
          for (const one of [ahead, id]) await stage.as(...readable(setStatus(one, 'accepted')));
          const reference = await value('select reference from private.deals where offer_id = $1', id);
          const change = { reference, seen: 0, field: 'way', to: 'closing' };
          const choose = `select public.negotiate_as_owner($1, deal => $2) ->> 'outcome'`;
          return {
            held: ownerMove(ahead, { kind: 'take_back' }),
            second: [ADMINISTRATOR, choose, id, json(change)],
          };
        },
        result: 'made',
      },
    ],
    'public.negotiate_as_owner: private.lock_moves': [
      {
        title: 'the former link makes no move while it is replaced',
        calls: replacedLink,
        result: 'invalid',
      },
    ],
    'public.negotiate_as_buyer: private.lock_moves': [
      {
        title: 'a move that waits while its link is replaced leaves nothing',
        calls: replacedLink,
        result: 0,
        read: () => value('select count(*)::integer from private.offer_moves'),
      },
    ],
    'private.move_problem: for share': [
      {
        title: 'a counter-offer waits for the publication that sells its name',
        calls: async () => ({ held: publication(SOLD), second: ownerMove(await offer(), COUNTER) }),
        result: 'not_possible',
      },
      {
        title: 'the publication that sells a name waits for its counter-offer',
        calls: async () => ({ held: ownerMove(await offer(), COUNTER), second: publication(SOLD) }),
        result: 'sold',
        read: () => stateOf('lap.app'),
      },
    ],
    'private.make_move: for update': [
      {
        title: 'an acceptance sees the status that was set by hand meanwhile',
        calls: async () => {
          const id = await offer();
          return { held: setStatus(id, 'rejected'), second: ownerMove(id, { kind: 'accept' }) };
        },
        result: 'not_possible',
      },
    ],
    'private.change_deal: for update': [
      {
        title: 'a step is not ticked of a deal that a status set by hand has ended meanwhile',
        calls: async () => {
          const id = await offer();
          await stage.as(...readable(setStatus(id, 'accepted')));
          const [deal] = await sql('select reference from private.deals where offer_id = $1', id);
          const change = { reference: deal?.reference, seen: 0, field: 'paid', to: true };
          const tick = `select public.negotiate_as_owner($1, deal => $2) ->> 'outcome'`;
          return {
            held: setStatus(id, 'pending'),
            second: [ADMINISTRATOR, tick, id, JSON.stringify(change)],
          };
        },
        result: 'moved',
      },
    ],
    'public.open_admin_session: for update': [
      {
        title: 'a sign-in waits for the factor that is enrolled, and needs its code',
        calls: async () => {
          const { enrol, open } = await administrator();
          return { held: enrol, second: open };
        },
        result: 'code_required',
      },
    ],
    'public.set_factor: for update': [
      {
        title: 'a factor is not enrolled for an administrator who is removed meanwhile',
        calls: async () => {
          const { revoke, enrol } = await administrator();
          return { held: revoke, second: enrol };
        },
        result: false,
      },
    ],
    'public.revoke_administrator: lock table private.admins': [
      {
        title: 'of the last two administrators one stays',
        calls: async () => {
          const { revoke } = await administrator();
          return {
            held: revoke,
            second: [FUNCTIONS, 'select public.revoke_administrator($1)', ADMINISTRATOR.userId],
          };
        },
        result: 'last',
      },
    ],
    'public.purge_offers: for update': [
      {
        title: 'an offer whose status changes meanwhile is not purged',
        calls: async () => {
          const id = await offer();
          await sql(...(setStatus(id, 'rejected').slice(1) as [string, ...unknown[]]));
          await sql('delete from private.offer_status_changes');
          return {
            held: setStatus(id, 'negotiating'),
            second: [FUNCTIONS, `select public.purge_offers('0 seconds', false, true)`],
          };
        },
        result: 0,
      },
    ],
    "public.receive_rows: pg_advisory_xact_lock(hashtextextended('receive_rows', 0))": [
      {
        title: 'rows without a key of their own are inserted once',
        calls: async () => {
          await sql('delete from private.erasures');
          const rows = json([{ id: 1, offers: 2, erased_at: '2026-01-01T00:00:00Z' }]);
          const receive: Call = [FUNCTIONS, `select public.receive_rows('erasures', $1)`, rows];
          return { held: receive, second: receive };
        },
        result: 1,
        read: () => value('select count(*)::integer from private.erasures'),
      },
    ],
    'public.remove_expired: for update skip locked': [
      {
        title: 'rows that another transaction has are left for the next time',
        calls: async () => ({
          held: await expiredLimit(),
          second: [FUNCTIONS, 'select public.remove_expired()'],
        }),
        skips: true,
        result: 1,
        read: expiredLimits,
      },
    ],
    'private.acquire_delivery: for update skip locked': [
      {
        title: 'a message that another transaction has is passed over',
        calls: async () => {
          const id = await offer('lap.app', [{ kind: 'offer', target: MAILBOX }]);
          await offer('lap.app', [{ kind: 'offer', target: MAILBOX }]);
          return { held: lockMessages(id), second: acquire };
        },
        skips: true,
        result: [1],
      },
      {
        title: 'a row of a digest that another transaction has is passed over',
        calls: async () => {
          const ids: string[] = [];
          for (let count = 0; count < 3; count += 1)
            ids.push(await offer('lap.app', [{ kind: 'offer', target: MAILBOX }]));
          await sql(`update private.messages set digest = true`);
          return { held: lockMessages(ids[1] ?? ''), second: acquire };
        },
        skips: true,
        result: [2],
      },
    ],
    'public.acquire_messages: for update': [
      {
        title: 'messages that are paused meanwhile are not acquired',
        calls: async () => {
          await offer('lap.app', [{ kind: 'offer', target: MAILBOX }]);
          return { held: [OWNER, 'select public.pause_messages()'], second: acquire };
        },
        result: [],
      },
    ],
    'public.acquire_messages: for update skip locked': [
      {
        title: 'a confirmation that another transaction has is passed over',
        calls: async () => {
          const id = await offer('lap.app', [{ kind: 'confirmation', target: 'mailto:ada@example.com' }]);
          await offer('lap.app', [{ kind: 'confirmation', target: 'mailto:grace@example.com' }]);
          return { held: lockMessages(id), second: acquire };
        },
        skips: true,
        result: [1],
      },
    ],
    'private.lock_messages: for update': [
      {
        title: 'a message that got through ends the failure that another one of its server notes meanwhile',
        calls: async () => {
          await sql('delete from private.failing_servers');
          const failure = {
            problem: 'It takes no message.',
            reply: 'DATA 554',
            lasting: true,
            certain: false,
          };
          const messages = [{ kind: 'offer', target: MAILBOX }];
          const ids = 'array(select id from private.messages where offer_id = $1)';
          return {
            held: [
              OWNER,
              `select public.mark_messages_failed(${ids}, 'no', false, false, $2)`,
              await offer('lap.app', messages),
              json(failure),
            ],
            second: [OWNER, `select public.mark_messages_sent(${ids})`, await offer('lap.app', messages)],
          };
        },
        result: 0,
        read: () => value('select count(*)::integer from private.failing_servers'),
      },
    ],
    'public.mark_messages_failed: private.lock_messages': [
      {
        title: 'a failure is noted after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [FUNCTIONS, `select public.mark_messages_failed('{1}', 'no', false)`],
        }),
        result: '',
      },
    ],
    'public.mark_messages_sent: private.lock_messages': [
      {
        title: 'a success is noted after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [FUNCTIONS, `select public.mark_messages_sent('{1}')`],
        }),
        result: '',
      },
    ],
    'public.begin_delivery: private.lock_messages': [
      {
        title: 'a try begins after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [FUNCTIONS, `select public.begin_delivery('{1}')`],
        }),
        result: false,
      },
    ],
    'public.make_messages_due: private.lock_messages': [
      {
        title: 'a start makes messages due after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [FUNCTIONS, 'select public.make_messages_due()'],
        }),
        result: '',
      },
    ],
    'public.retry_messages: private.lock_messages': [
      {
        title: 'an administrator’s retry comes after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [ADMINISTRATOR, 'select public.retry_messages()'],
        }),
        result: 0,
      },
    ],
    'public.report_delivery: private.lock_messages': [
      {
        title: 'changed settings are stored after another change of the state of servers',
        calls: async () => ({
          held: serverChange,
          second: [FUNCTIONS, 'select public.report_delivery(1, 0, $1)', json({ 'mailto:': randomUUID() })],
        }),
        result: [],
      },
    ],
    'public.resume_messages: for update': [
      {
        title: 'messages that are paused meanwhile are counted',
        calls: async () => {
          await offer('lap.app', [{ kind: 'offer', target: MAILBOX }]);
          return {
            held: [OWNER, 'select public.pause_messages()'],
            second: [FUNCTIONS, 'select public.resume_messages()'],
          };
        },
        result: 1,
      },
    ],
    'public.submit_offer: for share': [
      {
        title: 'an offer waits for the publication that sells its name',
        calls: async () => ({ held: publication(SOLD), second: offerCall({}) }),
        result: { outcome: 'not_for_sale', state: 'sold' },
      },
      {
        title: 'the publication that sells a name waits for its offer',
        calls: async () => ({ held: offerCall({}), second: publication(SOLD) }),
        result: 'sold',
        read: () => stateOf('lap.app'),
      },
    ],
    "public.submit_offer: pg_advisory_xact_lock(hashtext('private.rate_limits'))": [
      {
        title: 'a customer gets one confirmation for two offers at once',
        calls: async () => {
          const confirmation = [{ kind: 'confirmation', target: 'mailto:ada@example.com', locale: 'en' }];
          return {
            held: offerCall({}, confirmation),
            second: offerCall({ domain_name: 'host.example' }, confirmation),
          };
        },
        result: 1,
        read: () => value(`select count(*)::integer from private.messages where kind = 'confirmation'`),
      },
    ],
  };

  test('every lock has a case', async () => {
    const functions = await sql(
      `select pronamespace::regnamespace || '.' || proname as name, prosrc as source from pg_proc
       where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prokind = 'f'`,
    );
    const locks = functions.flatMap(({ name, source }) =>
      [...String(source).replaceAll(/--.*$/gm, '').matchAll(LOCK)].map(([lock]) => `${name}: ${lock}`),
    );
    const cases = Object.entries(CASES).flatMap(([lock, list]) =>
      // Of several locks of the same words each needs a case; further cases are welcome.
      list.slice(0, Math.max(1, locks.filter((one) => one === lock).length)).map(() => lock),
    );
    assert.deepEqual(cases.toSorted(), locks.toSorted());
  });

  for (const [lock, list] of Object.entries(CASES)) {
    for (const { title, calls, skips = false, result, read } of list) {
      test(`${lock} › ${title}`, async () => {
        const { held, second } = await calls();
        const { hasWaited, outcome } = await during(held, second);
        assert.equal(hasWaited, !skips, skips ? 'the second call waits' : 'the second call does not wait');
        assert.deepEqual(read ? await read() : outcome, result);
      });
    }
  }

  /** Runs the second call while the first one's transaction is open, and ends that once the second one waits or has ended. */
  async function during(
    [actor, statement, ...parameters]: Call,
    [otherActor, otherStatement, ...others]: Call,
  ) {
    assert.ok(stage.begin);
    const { commit } = await stage.begin(actor, statement, parameters);
    let hasEnded = false;
    const second = stage
      .value(otherActor, otherStatement, others)
      .catch(({ code }: { code?: string }) => code)
      .finally(() => {
        hasEnded = true;
      });
    const waiting = `select count(*)::integer from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const end = performance.now() + WAIT_TIMEOUT_MS;
    let hasWaited = false;
    while (!hasEnded && !hasWaited) {
      assert.ok(performance.now() < end, 'The second call neither waited for a lock nor ended.');
      hasWaited = (await value(waiting)) === 1;
    }
    await commit();
    return { hasWaited, outcome: await second };
  }
});
