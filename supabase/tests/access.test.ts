/** Rights of each role, enforced by the database alone, on every engine. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { OFFER_LIMITS } from '#contract/offer.ts';
import {
  ADMINISTRATOR_CALLS,
  EXPECTED_ACCESS,
  PRIVATE_TABLES,
  SERVICE_CALLS,
} from '../../commands/hosted/outside-check/expected-access.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  removeOffers,
  STRANGER,
  type Stage,
  signedIn,
  statementsOf,
  submit,
  VISITOR,
} from './cast.ts';
import { type Actor, ENGINES, type Row } from './engines.ts';

const COLUMNS = [
  'id',
  'domain_name',
  'offer_amount',
  'customer_name',
  'customer_email',
  'created_at',
  'status',
  'held',
  'low',
  'value',
  'currency',
];

for (const choice of ENGINES) {
  describe(`on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    const as = (actor: Actor, sql: string, parameters?: unknown[]) => stage.as(actor, sql, parameters);
    const value = (actor: Actor, sql: string, parameters?: unknown[]) => stage.value(actor, sql, parameters);
    const rejects = (actor: Actor, sql: string, parameters?: unknown[]) =>
      stage.rejects(actor, sql, parameters);
    /** Calls of the functions that are for the service role alone, and for administrators alone. */
    let callsOfFunctions: string[];
    let callsOfAdministrators: string[];
    before(async () => {
      stage = await openStage(choice);
      const { extend_admin_session: _itself, ...calls } = ADMINISTRATOR_CALLS;
      callsOfFunctions = await statementsOf(SERVICE_CALLS, stage);
      callsOfAdministrators = await statementsOf(calls, stage);
    });
    beforeEach(async () => {
      await removeOffers(stage);
      await submit(stage);
    });
    after(() => stage.close());

    test('the grants are exactly the golden list', async () => {
      const [row] = await as(OWNER, 'select public.read_access() as access');
      assert.deepEqual(row?.access, EXPECTED_ACCESS);
    });

    test('a visitor cannot read or write an offer, or call a function', async () => {
      await rejects(VISITOR, 'select * from public.offers');
      await rejects(VISITOR, 'select count(*) from public.offers');
      await rejects(
        VISITOR,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await rejects(VISITOR, `update public.offers set status = 'accepted'`);
      await rejects(VISITOR, 'delete from public.offers');
      await rejects(VISITOR, 'truncate public.offers');
      await rejects(VISITOR, 'select public.extend_admin_session()');
      for (const call of callsOfAdministrators) await rejects(VISITOR, call);
      for (const call of callsOfFunctions) await rejects(VISITOR, call);
    });

    test('a user who is no administrator reads and changes no offer', async () => {
      assert.deepEqual(await as(STRANGER, 'select * from public.offers'), []);
      assert.deepEqual(await as(STRANGER, `update public.offers set status = 'accepted' returning id`), []);
      // Neither filtered nor returned: only so the select policy does not hide what the update policy lets through.
      await as(STRANGER, `update public.offers set status = 'accepted'`);
      const statuses = await as(OWNER, 'select distinct status from public.offers');
      assert.deepEqual(statuses, [{ status: 'pending' }]);
      await rejects(
        STRANGER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await rejects(STRANGER, 'delete from public.offers');
      await rejects(STRANGER, 'truncate public.offers');
      for (const actor of [STRANGER, ADMINISTRATOR]) {
        for (const call of callsOfFunctions) await rejects(actor, call);
      }
    });

    test('a function for administrators reports to anybody else that the session has ended', async () => {
      for (const call of callsOfAdministrators) {
        await stage.endsSession(STRANGER, call);
        await stage.endsSession(signedIn(ADMINISTRATOR.userId), call);
        await rejects(FUNCTIONS, call);
        await as(ADMINISTRATOR, call);
      }
    });

    test('only the owner pauses messages, and only submit_offer queues them', async () => {
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS]) {
        await rejects(actor, 'select public.pause_messages()');
        await rejects(actor, `select private.queue_messages(gen_random_uuid(), false, '[]')`);
      }
    });

    test('a status update without a filter by a user who is no administrator changes no row', async () => {
      const { id } = await submit(stage);
      const statusOf = () => value(OWNER, 'select status from public.offers where id = $1', [id]);
      await as(STRANGER, `update public.offers set status = 'accepted'`);
      assert.equal(await statusOf(), 'pending');
      await as(ADMINISTRATOR, `update public.offers set status = 'accepted'`);
      assert.equal(await statusOf(), 'accepted', 'the same statement by an administrator');
    });

    test('a function that is made later is open to no role of the data API', async () => {
      await as(OWNER, 'create function public.made_later() returns integer language sql as $$ select 1 $$');
      await as(OWNER, 'create function private.made_later() returns integer language sql as $$ select 1 $$');
      await as(OWNER, 'create table public.made_later ()');
      for (const actor of [VISITOR, STRANGER, FUNCTIONS]) {
        await rejects(actor, 'select public.made_later()');
        await rejects(actor, 'select private.made_later()');
        await rejects(actor, 'select from public.made_later');
      }
      await as(OWNER, 'drop table public.made_later');
      for (const schema of ['public', 'private']) await as(OWNER, `drop function ${schema}.made_later()`);
    });

    test('every function runs with a fixed, empty search_path', async () => {
      const free = await as(
        OWNER,
        `select p.oid::regproc::text as name from pg_proc p
         where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
           and not coalesce(p.proconfig, '{}') @> array['search_path=""']
           and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
      );
      assert.deepEqual(free, []);
    });

    test('the columns hold exactly the lengths of the contract, counted in code points', async () => {
      const shortest = { domain_name: 1, offer_amount: 1, customer_name: 1, customer_email: 3 };
      for (const [column, least] of Object.entries(shortest)) {
        const insert = (length: number) =>
          as(
            OWNER,
            `with texts as (select coalesce(jsonb_object_agg(name, repeat('😀', 3)), '{}') || $1::jsonb as t
               from unnest(array['domain_name', 'offer_amount', 'customer_name', 'customer_email']) as name)
             insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
             select t ->> 'domain_name', t ->> 'offer_amount', t ->> 'customer_name', t ->> 'customer_email' from texts`,
            [JSON.stringify({ [column]: '😀'.repeat(length) })],
          );
        const most = OFFER_LIMITS[column as keyof typeof OFFER_LIMITS];
        for (const length of [least, most]) await insert(length);
        for (const length of [least - 1, most + 1]) {
          await assert.rejects(insert(length), { code: '23514' }, `${column}: ${length}`);
        }
      }
    });

    test('a message is stored once with its lines, and only administrators read it', async () => {
      const message = 'one\ntwo <b>\n\n\tthree \u202e= 1';
      const limits = { sender: [limitOf(2)] };
      const token = randomUUID();
      const first = await submit(stage, { message, limits, token });
      assert.equal(first.outcome, 'stored');
      const repeated = await submit(stage, { message, limits, token });
      assert.deepEqual([repeated.outcome, repeated.id], ['repeated', first.id]);
      const count = () => value(OWNER, 'select count(*)::integer from private.offer_messages');
      const before = await count();
      assert.equal((await submit(stage, { message: 'not stored', limits })).outcome, 'limited');
      assert.equal(
        (await submit(stage, { message: 'not stored', domain: 'other.example' })).outcome,
        'not_for_sale',
      );
      const without = await submit(stage);
      assert.equal(await count(), before);

      const messageOf = (id: unknown) => value(ADMINISTRATOR, 'select public.offer_message($1)', [id]);
      assert.deepEqual(await messageOf(first.id), { message, confirmation_rejected: null });
      assert.deepEqual(await messageOf(without.id), { message: null, confirmation_rejected: null });
      const line = await submit(stage, { message: `\n  ${'a'.repeat(250)}\nb` });
      assert.deepEqual(
        await value(ADMINISTRATOR, 'select public.message_lines($1)', [[without.id, line.id]]),
        { [String(line.id)]: 'a'.repeat(200) },
      );
      for (const actor of [ADMINISTRATOR, FUNCTIONS]) {
        await rejects(actor, `update private.offer_messages set message = 'other'`);
        await rejects(actor, 'delete from private.offer_messages');
      }
      await assert.rejects(submit(stage, { message: 'a'.repeat(1001) }), { code: '23514' });
      await submit(stage, { message: '😀'.repeat(1000) });
    });

    test('no role of the data API reads the private tables', async () => {
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS]) {
        for (const table of PRIVATE_TABLES) await rejects(actor, `select * from private.${table}`);
      }
      await rejects(STRANGER, 'insert into private.admins (user_id) values ($1)', [STRANGER.userId]);
    });

    test('an administrator reads every offer and changes the status of any, and no other column', async () => {
      const [offer] = await as(ADMINISTRATOR, 'select * from public.offers');
      assert.ok(offer);
      assert.deepEqual(Object.keys(offer), COLUMNS);
      for (const status of ['accepted', 'rejected', 'negotiating', 'pending']) {
        const changed = await as(
          ADMINISTRATOR,
          'update public.offers set status = $1 where id = $2 returning status',
          [status, offer.id],
        );
        assert.deepEqual(changed, [{ status }]);
      }
      for (const column of COLUMNS.filter((name) => name !== 'status')) {
        await rejects(ADMINISTRATOR, `update public.offers set ${column} = ${column}`);
        await rejects(ADMINISTRATOR, `update public.offers set status = 'accepted', ${column} = ${column}`);
      }
      await rejects(ADMINISTRATOR, 'delete from public.offers');
      await rejects(ADMINISTRATOR, 'truncate public.offers');
      await rejects(
        ADMINISTRATOR,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await assert.rejects(as(ADMINISTRATOR, `update public.offers set status = 'sold'`), { code: '23514' });
    });

    test('the owner too cannot rewrite or delete an offer, or empty the table', async () => {
      await rejects(OWNER, `update public.offers set offer_amount = '$1'`);
      await rejects(OWNER, 'delete from public.offers');
      await rejects(OWNER, 'truncate public.offers cascade');
    });

    test('the owner too changes no column of an offer but its status', async () => {
      const { id } = await submit(stage);
      const others: Record<string, string> = {
        id: 'gen_random_uuid()',
        created_at: `now() - interval '1 day'`,
        held: 'not held',
        low: 'not low',
        value: '1',
      };
      for (const column of COLUMNS.filter((name) => name !== 'status')) {
        const other = others[column] ?? `${column} || 'a'`;
        await rejects(OWNER, `update public.offers set ${column} = ${other} where id = $1`, [id]);
      }
      await as(OWNER, `update public.offers set status = 'rejected' where id = $1`, [id]);
    });

    test('a user who stops being an administrator reads nothing at once', async () => {
      await as(OWNER, 'insert into private.admins (user_id) values ($1)', [STRANGER.userId]);
      const { userId, sessionId } = STRANGER;
      await as(FUNCTIONS, 'select public.open_admin_session($1, $2, 12, 120)', [userId, sessionId]);
      assert.notDeepEqual(await as(STRANGER, 'select id from public.offers'), []);
      await as(OWNER, 'delete from private.admins where user_id = $1', [STRANGER.userId]);
      assert.deepEqual(await as(STRANGER, 'select id from public.offers'), []);
    });

    test('the functions reach offers through their own functions of the database only', async () => {
      await rejects(
        FUNCTIONS,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await rejects(FUNCTIONS, `update public.offers set status = 'accepted'`);
      await rejects(FUNCTIONS, 'delete from public.offers');
    });

    test('the history of an offer names who changed its status, oldest change first', async () => {
      const { id } = await submit(stage);
      await as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [id]);
      await as(OWNER, `update public.offers set status = 'rejected' where id = $1`, [id]);
      const history = (await value(ADMINISTRATOR, 'select public.offer_history($1)', [id])) as Row[];
      assert.ok(history.every(({ changed_at }) => Date.now() - Date.parse(String(changed_at)) < 60_000));
      assert.deepEqual(
        history.map(({ changed_at, ...change }) => change),
        [
          { old_status: 'pending', new_status: 'accepted', changed_by_email: 'owner@example.com' },
          { old_status: 'accepted', new_status: 'rejected', changed_by_email: null },
        ],
      );
      assert.deepEqual(await value(ADMINISTRATOR, 'select public.offer_history($1)', [randomUUID()]), []);
    });

    test('every change of status, and no other change, is stored with user, time, old and new status', async () => {
      const { id } = await submit(stage);
      const set = (status: string) =>
        as(ADMINISTRATOR, 'update public.offers set status = $1 where id = $2', [status, id]);
      await set('accepted');
      await set('accepted');
      await set('rejected');
      const audit = await as(
        OWNER,
        `select old_status, new_status, changed_by, changed_at is not null as dated
         from private.offer_status_changes where offer_id = $1 order by id`,
        [id],
      );
      const by = { changed_by: ADMINISTRATOR.userId, dated: true };
      assert.deepEqual(audit, [
        { old_status: 'pending', new_status: 'accepted', ...by },
        { old_status: 'accepted', new_status: 'rejected', ...by },
      ]);
    });

    test('the pages of the list hold every offer once, newest first, also where dates are equal', async () => {
      await as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', n::text, 'Same Time', 'same@example.com', '2020-01-01'::timestamptz + (n / 10) * interval '1 second'
         from generate_series(1, 95) as n`,
      );
      // Held offers are a list of their own.
      await as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, held)
         select 'lap.app', n::text, 'Held', 'held@example.com', '2020-01-01'::timestamptz + n * interval '1 second', true
         from generate_series(1, 15) as n`,
      );
      const everything = await as(
        ADMINISTRATOR,
        'select id from public.offers where not held order by created_at desc, id desc',
      );
      const pages = (await value(ADMINISTRATOR, 'select public.offer_pages(10)')) as Row[];
      assert.equal(pages.length, Math.ceil(everything.length / 10));
      const read: unknown[] = [];
      for (const [number, page] of pages.entries()) {
        assert.equal(page.page, number);
        assert.equal(page.total, everything.length);
        const rows = await as(
          ADMINISTRATOR,
          `select id from public.offers where not held and (created_at < $1 or (created_at = $1 and id <= $2))
           order by created_at desc, id desc limit 10`,
          [page.first_sort_key, page.first_id],
        );
        read.push(...rows);
      }
      assert.deepEqual(read, everything);
    });

    test('erasing a customer deletes their offers and stores an audit without personal data', async () => {
      const { id } = await submit(stage, {
        email: 'Erase.Me@example.com',
        message: 'Please erase me',
        messages: [
          { kind: 'offer', target: 'mailto:owner@example.org' },
          { kind: 'confirmation', target: 'mailto:Erase.Me@example.com' },
        ],
      });
      await as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [id]);
      assert.equal(await value(FUNCTIONS, `select public.erase_customer('erase.me@EXAMPLE.com')`), 1);
      assert.deepEqual(await as(OWNER, 'select 1 from public.offers where id = $1', [id]), []);
      assert.deepEqual(
        await as(OWNER, 'select 1 from private.idempotency_keys where offer_id = $1', [id]),
        [],
      );
      assert.equal(
        (await as(OWNER, 'select 1 from private.offer_status_changes where offer_id = $1', [id])).length,
        1,
      );
      const erasures = () => value(OWNER, 'select count(*)::integer from private.erasures');
      const before = await erasures();
      assert.equal(await value(FUNCTIONS, `select public.erase_customer('nobody@example.com')`), 0);
      assert.equal(await erasures(), before, 'there was nothing to note');
      for (const table of [
        'offer_status_changes',
        'idempotency_keys',
        'offer_messages',
        'rate_limits',
        'erasures',
        'messages',
      ]) {
        const text = JSON.stringify(await as(OWNER, `select * from private.${table}`));
        assert.doesNotMatch(text, /example\.com|\bAda\b|script|erase me/i);
      }
      await rejects(OWNER, 'delete from public.offers');
    });

    test('an administrator removes one offer, which is noted without personal data', async () => {
      const message = { kind: 'confirmation', target: 'mailto:twice@example.net' };
      const offer = { email: 'twice@example.net', message: 'Remove one of us' };
      const { id } = await submit(stage, { ...offer, messages: [message] });
      const { id: other } = await submit(stage, offer);
      const erasures = () => value(OWNER, 'select count(*)::integer from private.erasures');
      const before = Number(await erasures());
      assert.equal(await value(ADMINISTRATOR, 'select public.remove_offer($1)', [id]), true);
      assert.equal(await value(ADMINISTRATOR, 'select public.remove_offer($1)', [id]), false);
      const left = await as(OWNER, `select id from public.offers where customer_email = 'twice@example.net'`);
      assert.deepEqual(left, [{ id: other }]);
      for (const table of ['idempotency_keys', 'offer_messages', 'messages']) {
        assert.deepEqual(await as(OWNER, `select 1 from private.${table} where offer_id = $1`, [id]), []);
      }
      assert.equal(await erasures(), before + 1);
      assert.equal(
        (await as(OWNER, 'select 1 from private.erased_offers where offer_id = $1', [id])).length,
        1,
      );
      await rejects(ADMINISTRATOR, `delete from public.offers where id = '${other}'`);
      for (const actor of [VISITOR, STRANGER, FUNCTIONS]) {
        await assert.rejects(as(actor, 'select public.remove_offer($1)', [other]));
      }
      assert.equal((await as(OWNER, 'select 1 from public.offers where id = $1', [other])).length, 1);
    });

    test('erasing a customer allows no other deletion in its transaction', async () => {
      await submit(stage, { email: 'follows@example.com' });
      await rejects(
        OWNER,
        `do $$ begin
           perform public.erase_customer('follows@example.com');
           delete from public.offers;
         end $$`,
      );
    });
  });
}
