/** Who may do what, decided by the database alone: the same sentences on every engine. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Actor, ENGINES, type Engine, type Row } from './engines.ts';
import { GOLDEN_GRANTS, READ_GRANTS } from './golden-grants.ts';

const VISITOR: Actor = { role: 'anon' };
const FUNCTIONS: Actor = { role: 'service_role' };
const OWNER: Actor = { role: 'owner' };
const ADMINISTRATOR = { role: 'authenticated', userId: randomUUID() } as const;
const STRANGER = { role: 'authenticated', userId: randomUUID() } as const;

/** Seconds. Limits count in windows that begin with the clock: none of these ends before 2033. */
const WINDOW = 1_000_000_000;

const COLUMNS = [
  'id',
  'domain_name',
  'offer_amount',
  'customer_name',
  'customer_email',
  'created_at',
  'status',
];

for (const choice of ENGINES) {
  describe(`on ${choice.name}`, { skip: choice.missing }, () => {
    let engine: Engine;
    const as = (actor: Actor, sql: string, parameters?: unknown[]) => engine.as(actor, sql, parameters);
    const value = async (actor: Actor, sql: string, parameters?: unknown[]) =>
      Object.values((await as(actor, sql, parameters))[0] ?? {})[0];
    const refuses = (actor: Actor, sql: string, parameters?: unknown[]) =>
      assert.rejects(as(actor, sql, parameters), (error: { code?: string }) => error.code === '42501', sql);

    before(async () => {
      engine = await choice.open();
      for (const [id, email] of [
        [ADMINISTRATOR.userId, 'owner@example.com'],
        [STRANGER.userId, 'stranger@example.com'],
      ]) {
        await as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [id, email]);
      }
      await as(OWNER, 'insert into private.admins (user_id) values ($1)', [ADMINISTRATOR.userId]);
    });
    after(() => engine.close());

    const NO_LIMITS = '[]';
    const submit = async (token: string, texts: string, limits: unknown = [], email = 'ada@example.com') =>
      (await value(FUNCTIONS, 'select public.submit_offer($1, $2, $3, $4) as outcome', [
        JSON.stringify({
          domain_name: 'lap.app',
          offer_amount: '1,000 € <script>',
          customer_name: 'Ada',
          customer_email: email,
        }),
        token,
        texts,
        JSON.stringify(limits),
      ])) as Row;

    test('the grants are exactly the golden list', async () => {
      const rows = await as(OWNER, READ_GRANTS);
      assert.deepEqual(
        rows.map((row) => row.grant),
        GOLDEN_GRANTS,
      );
    });

    test('a visitor has no way to an offer: no reading, writing, or calling', async () => {
      await submit(randomUUID(), 'texts');
      await refuses(VISITOR, 'select * from public.offers');
      await refuses(VISITOR, 'select count(*) from public.offers');
      await refuses(
        VISITOR,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await refuses(VISITOR, `update public.offers set status = 'accepted'`);
      await refuses(VISITOR, 'delete from public.offers');
      await refuses(VISITOR, 'truncate public.offers');
      await refuses(VISITOR, 'select public.offer_pages(100)');
      await refuses(VISITOR, `select public.submit_offer('{}', 'a', 'b', '[]')`);
      await refuses(VISITOR, `select public.announce_offer('a', 'b', '[]', '[]')`);
      await refuses(VISITOR, `select public.erase_customer('ada@example.com')`);
      await refuses(VISITOR, `select public.begin_sign_in('[]', '[]', '[]')`);
      await refuses(VISITOR, `select public.forgive_sign_in('[]', '[]', '[]')`);
      await refuses(VISITOR, 'select public.is_administrator($1)', [ADMINISTRATOR.userId]);
    });

    test('someone who merely signed in sees no offer and changes none', async () => {
      assert.deepEqual(await as(STRANGER, 'select * from public.offers'), []);
      assert.deepEqual(await as(STRANGER, `update public.offers set status = 'accepted' returning id`), []);
      // Neither filtered nor returned: only so the select policy does not hide what the update policy lets through.
      await as(STRANGER, `update public.offers set status = 'accepted'`);
      const statuses = await as(OWNER, 'select distinct status from public.offers');
      assert.deepEqual(statuses, [{ status: 'pending' }]);
      assert.deepEqual(await value(STRANGER, 'select public.offer_pages(100)'), []);
      await refuses(
        STRANGER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await refuses(STRANGER, 'delete from public.offers');
      await refuses(STRANGER, 'truncate public.offers');
      await refuses(STRANGER, `select public.submit_offer('{}', 'a', 'b', '[]')`);
      await refuses(STRANGER, `select public.erase_customer('ada@example.com')`);
      await refuses(STRANGER, 'select public.is_administrator($1)', [ADMINISTRATOR.userId]);
    });

    test('the private tables are closed to everybody who comes through the data API', async () => {
      const tables = ['admins', 'offer_status_changes', 'rate_limits', 'offer_receipts', 'erasures'];
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS]) {
        for (const table of tables) await refuses(actor, `select * from private.${table}`);
      }
      await refuses(STRANGER, 'insert into private.admins (user_id) values ($1)', [STRANGER.userId]);
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
        await refuses(ADMINISTRATOR, `update public.offers set ${column} = ${column}`);
        await refuses(ADMINISTRATOR, `update public.offers set status = 'accepted', ${column} = ${column}`);
      }
      await refuses(ADMINISTRATOR, 'delete from public.offers');
      await refuses(ADMINISTRATOR, 'truncate public.offers');
      await refuses(
        ADMINISTRATOR,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await assert.rejects(as(ADMINISTRATOR, `update public.offers set status = 'sold'`), { code: '23514' });
    });

    test('not even the owner rewrites an offer, deletes one by hand, or empties the table', async () => {
      await refuses(OWNER, `update public.offers set offer_amount = '$1'`);
      await refuses(OWNER, 'delete from public.offers');
      await refuses(OWNER, 'truncate public.offers cascade');
    });

    test('whoever stops being an administrator sees nothing from that moment', async () => {
      await as(OWNER, 'insert into private.admins (user_id) values ($1)', [STRANGER.userId]);
      assert.notDeepEqual(await as(STRANGER, 'select id from public.offers'), []);
      await as(OWNER, 'delete from private.admins where user_id = $1', [STRANGER.userId]);
      assert.deepEqual(await as(STRANGER, 'select id from public.offers'), []);
    });

    test('the functions reach offers through their own functions of the database only', async () => {
      assert.equal(
        await value(FUNCTIONS, 'select public.is_administrator($1)', [ADMINISTRATOR.userId]),
        true,
      );
      assert.equal(await value(FUNCTIONS, 'select public.is_administrator($1)', [STRANGER.userId]), false);
      await refuses(
        FUNCTIONS,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email) values ('a', 'b', 'c', 'd@e')`,
      );
      await refuses(FUNCTIONS, `update public.offers set status = 'accepted'`);
      await refuses(FUNCTIONS, 'delete from public.offers');
    });

    test('every change of status leaves who, when, from and to; no other change leaves anything', async () => {
      const { id } = await submit(randomUUID(), 'texts');
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

    test('a new offer is pending, dated, and to the letter; the same one again is the same offer', async () => {
      const token = randomUUID();
      const first = await submit(token, 'texts');
      assert.equal(first.outcome, 'stored');
      assert.deepEqual(await submit(token, 'texts'), { outcome: 'repeated', id: first.id });
      assert.deepEqual(await submit(token, 'other texts'), { outcome: 'conflict' });
      const announced = await value(FUNCTIONS, 'select public.announce_offer($1, $2, $3, $3)', [
        token,
        'texts',
        NO_LIMITS,
      ]);
      assert.deepEqual(announced, { outcome: 'repeated', id: first.id });
      const [row] = await as(
        OWNER,
        `select status, offer_amount, now() - created_at < interval '1 minute' as recent from public.offers where id = $1`,
        [first.id],
      );
      assert.deepEqual(row, { status: 'pending', offer_amount: '1,000 € <script>', recent: true });
    });

    test('fifty requests with one token at once are one offer, and all of them learn its id', async () => {
      const token = randomUUID();
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => submit(token, 'texts')));
      assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1);
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'repeated').length, 49);
      const offers = await as(OWNER, 'select 1 from public.offers where id = $1', [outcomes[0]?.id]);
      assert.equal(offers.length, 1);
    });

    test('a limit lets exactly so many through, however many come at once', async () => {
      const limits = [{ bucket: 'test', key: randomUUID(), max: 20, window: WINDOW }];
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => submit(randomUUID(), 'texts', limits)),
      );
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 20);
      const limited = outcomes.filter(({ outcome }) => outcome === 'limited');
      assert.equal(limited.length, 30);
      for (const { wait } of limited) assert.ok(Number(wait) > 0 && Number(wait) <= WINDOW);
    });

    test('who is limited keeps the token: the same offer is stored once there is room', async () => {
      const token = randomUUID();
      assert.equal(
        (await submit(token, 'texts', [{ bucket: 'full', key: 'k', max: 0, window: WINDOW }])).outcome,
        'limited',
      );
      assert.equal((await submit(token, 'texts')).outcome, 'stored');
    });

    test('an announcement counts on one’s own limit, and only looks at the shared ones', async () => {
      const own = [{ bucket: 'own', key: randomUUID(), max: 2, window: WINDOW }];
      const shared = [{ bucket: 'shared', key: randomUUID(), max: 1, window: WINDOW }];
      const announce = async () =>
        (await value(FUNCTIONS, 'select public.announce_offer($1, $2, $3, $4)', [
          randomUUID(),
          'texts',
          JSON.stringify(own),
          JSON.stringify(shared),
        ])) as Row;
      assert.equal((await announce()).outcome, 'new');
      assert.equal((await announce()).outcome, 'new');
      assert.equal((await announce()).outcome, 'limited');
      own.splice(0);
      await submit(randomUUID(), 'texts', shared);
      assert.equal((await announce()).outcome, 'limited');
    });

    test('an account under attack is slowed down, not locked', async () => {
      const limit = (bucket: string, max: number) => [{ bucket, key: randomUUID(), max, window: WINDOW }];
      const account = limit('account', 2);
      const begin = (own: unknown, harder: unknown) =>
        value(FUNCTIONS, 'select public.begin_sign_in($1, $2, $3)', [
          JSON.stringify(own),
          JSON.stringify(account),
          JSON.stringify(harder),
        ]);
      const attacker = limit('harder', 1);
      assert.equal(await begin(limit('own', 9), attacker), 0);
      assert.equal(await begin(limit('own', 9), attacker), 0);
      assert.equal(await begin(limit('own', 9), attacker), 0);
      assert.ok(Number(await begin(limit('own', 9), attacker)) > 0);
      assert.equal(await begin(limit('own', 9), limit('harder', 1)), 0, 'the owner still gets a try');
    });

    test('an attempt that turned out right is given back', async () => {
      const own = [{ bucket: 'right', key: randomUUID(), max: 1, window: WINDOW }];
      const begin = () =>
        value(FUNCTIONS, 'select public.begin_sign_in($1, $2, $2)', [JSON.stringify(own), NO_LIMITS]);
      assert.equal(await begin(), 0);
      await as(FUNCTIONS, 'select public.forgive_sign_in($1, $2, $2)', [JSON.stringify(own), NO_LIMITS]);
      assert.equal(await begin(), 0);
      assert.ok(Number(await begin()) > 0);
    });

    test('sign-ins that begin and that end at once do not wait for each other', async () => {
      const names = ['account', 'account-and-address', 'account-under-attack', 'address'];
      const [account, own, harder, address] = names.map((bucket) => ({
        bucket: `crowd.${bucket}`,
        key: 'everybody',
        max: 1_000,
        window: WINDOW,
      }));
      const limits = [[address, own], [account], [harder]].map((one) => JSON.stringify(one));
      const signIn = async () => {
        await as(FUNCTIONS, 'select public.begin_sign_in($1, $2, $3)', limits);
        await as(FUNCTIONS, 'select public.forgive_sign_in($1, $2, $3)', limits);
      };
      const visitor = async () => {
        for (let time = 0; time < 20; time += 1) await signIn();
      };
      await Promise.all(Array.from({ length: 8 }, visitor));
    });

    test('the pages of the list hold every offer once, newest first, also where dates are equal', async () => {
      await as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', n::text, 'Same Time', 'same@example.com', '2020-01-01'::timestamptz + (n / 10) * interval '1 second'
         from generate_series(1, 95) as n`,
      );
      const everything = await as(
        ADMINISTRATOR,
        'select id from public.offers order by created_at desc, id desc',
      );
      const pages = (await value(ADMINISTRATOR, 'select public.offer_pages(10)')) as Row[];
      assert.equal(pages.length, Math.ceil(everything.length / 10));
      const read: unknown[] = [];
      for (const [number, page] of pages.entries()) {
        assert.equal(page.page, number);
        assert.equal(page.total, everything.length);
        const rows = await as(
          ADMINISTRATOR,
          `select id from public.offers where created_at < $1 or (created_at = $1 and id <= $2)
           order by created_at desc, id desc limit 10`,
          [page.first_created_at, page.first_id],
        );
        read.push(...rows);
      }
      assert.deepEqual(read, everything);
    });

    test('erasing a customer takes their offers and leaves an audit without personal data', async () => {
      const { id } = await submit(randomUUID(), 'texts', [], 'Erase.Me@example.com');
      await as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [id]);
      assert.equal(await value(FUNCTIONS, `select public.erase_customer('erase.me@EXAMPLE.com')`), 1);
      assert.deepEqual(await as(OWNER, 'select 1 from public.offers where id = $1', [id]), []);
      assert.deepEqual(await as(OWNER, 'select 1 from private.offer_receipts where offer_id = $1', [id]), []);
      assert.equal(
        (await as(OWNER, 'select 1 from private.offer_status_changes where offer_id = $1', [id])).length,
        1,
      );
      assert.equal(await value(FUNCTIONS, `select public.erase_customer('nobody@example.com')`), 0);
      for (const table of ['offer_status_changes', 'offer_receipts', 'rate_limits', 'erasures']) {
        const text = JSON.stringify(await as(OWNER, `select * from private.${table}`));
        assert.doesNotMatch(text, /example\.com|\bAda\b|script/i);
      }
      await refuses(OWNER, 'delete from public.offers');
    });
  });
}
