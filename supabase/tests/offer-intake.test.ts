/** Counting of offers and sign-ins, and storing each offer once, by the database alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { forEachVisitorField } from '../functions/_shared/contract/offer-fields.ts';
import type { Price } from '../functions/_shared/contract/price-of.ts';
import type { Limit } from '../functions/_shared/rate-limits.ts';
import {
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  type Stage,
  type Submission,
  submit,
  WINDOW,
} from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

for (const choice of ENGINES) {
  describe(`intake on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());

    const call = (statement: string, ...parameters: unknown[]) =>
      stage.value(
        FUNCTIONS,
        `select public.${statement}`,
        parameters.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)),
      );
    const atOnce = (count: number, submission: () => Submission) =>
      Promise.all(Array.from({ length: count }, () => submit(stage, submission())));
    const countOf = (outcomes: Row[], outcome: string) =>
      outcomes.filter((one) => one.outcome === outcome).length;
    const hitsOf = async (limit: Limit) =>
      (await stage.value(OWNER, 'select hits from private.rate_limits where key_hash = $1', [limit.key])) ??
      0;
    const isHeld = (id: unknown) =>
      stage.value(OWNER, 'select held from public.offers where id = $1', [id]) as Promise<boolean>;

    test('a new offer is stored as sent, pending and not held; sent again it is the same offer', async () => {
      const token = randomUUID();
      const first = await submit(stage, { token });
      assert.equal(first.outcome, 'stored');
      assert.deepEqual(await submit(stage, { token }), { outcome: 'repeated', id: first.id });
      assert.deepEqual(await submit(stage, { token, payload: 'other texts' }), { outcome: 'conflict' });
      const [row] = await stage.as(
        OWNER,
        `select status, held, offer_amount, now() - created_at < interval '1 minute' as recent
         from public.offers where id = $1`,
        [first.id],
      );
      assert.deepEqual(row, {
        status: 'pending',
        held: false,
        offer_amount: '1,000 € <script>',
        recent: true,
      });
    });

    test('of an offer its texts alone are stored: other columns that are sent have no effect', async () => {
      const sent = {
        domain_name: 'lap.app',
        ...forEachVisitorField((_, column) => `${column}@example.com`),
      };
      const others = {
        id: randomUUID(),
        created_at: '2020-01-01T00:00:00+00:00',
        status: 'accepted',
        held: true,
        low: true,
        value: 5,
        currency: 'USD',
      };
      const { id } = (await call(
        'submit_offer($1, $2, $3, $4)',
        { ...sent, ...others, another: 1 },
        randomUUID(),
        'texts',
        {},
      )) as Row;
      const stored = await stage.value(OWNER, 'select to_jsonb(o) from public.offers o where id = $1', [id]);
      const { created_at, ...row } = stored as Row;
      assert.deepEqual(row, {
        ...sent,
        id,
        status: 'pending',
        held: false,
        low: false,
        value: null,
        currency: '',
      });
      assert.notEqual(id, others.id);
      assert.ok(Math.abs(Date.now() - Date.parse(String(created_at))) < 60_000);
    });

    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const withMinimum = (minimum?: Price) =>
      publish(stage, [{ name: 'lap.app', ...(minimum && { minimum }) }]);
    const isLow = async (price?: Price) => (await submit(stage, price && { price })).low ?? false;

    test('an offer is low below the minimum in the same currency alone', async () => {
      await withMinimum(usd('500'));
      for (const [price, low] of [
        [usd('499.99'), true],
        [usd('1'), true],
        [usd('500'), false],
        [usd('500.00'), false],
        [usd(`9${'0'.repeat(14)}.99`), false],
        [{ amount: '1', currency: 'EUR' }, false],
        // Its amount could not be read.
        [undefined, false],
      ] as const) {
        assert.equal(await isLow(price), low, JSON.stringify(price));
      }
      await withMinimum();
      assert.equal(await isLow(usd('1')), false);
      for (const minimum of [usd('0'), { amount: '5' } as Price]) {
        await assert.rejects(withMinimum(minimum), { code: '23514' });
      }
    });

    test('an offer is stored with what was read in it, and a number alone with the currency of the price', async () => {
      const listed = (more: object) => publish(stage, [{ name: 'lap.app', ...more }]);
      const stored = async (price?: { amount: string; currency?: string }) => {
        const { id, low = false } = await submit(stage, price && { price });
        const [row] = await stage.as(OWNER, 'select value::text, currency from public.offers where id = $1', [
          id,
        ]);
        return [row?.value, row?.currency, low];
      };
      await listed({ price: '5.000 €', currency: 'EUR', minimum: { amount: '1250', currency: 'EUR' } });
      assert.deepEqual(await stored({ amount: '500' }), ['500', 'EUR', true]);
      assert.deepEqual(await stored({ amount: '0' }), ['0', 'EUR', true]);
      assert.deepEqual(await stored({ amount: '-5' }), ['-5', 'EUR', true]);
      assert.deepEqual(await stored({ amount: '1250' }), ['1250', 'EUR', false]);
      assert.deepEqual(await stored({ amount: '500.50', currency: 'USD' }), ['500.50', 'USD', false]);
      assert.deepEqual(await stored(), [null, '', false]);
      await listed({ price: '5.000 €', currency: 'EUR' });
      assert.deepEqual(
        await stored({ amount: '0' }),
        ['0', 'EUR', false],
        'without a minimum nothing is low',
      );
      await listed({ price: 'ask me' });
      assert.deepEqual(await stored({ amount: '500' }), [null, '', false]);
    });

    test('what was read once never changes, and an unread amount is read once', async () => {
      const { id } = await submit(stage, { price: { amount: '500', currency: 'USD' } });
      for (const change of [
        'value = 1',
        "currency = 'EUR'",
        'currency = null, value = null',
        "offer_amount = '1'",
      ]) {
        await stage.rejects(OWNER, `update public.offers set ${change} where id = $1`, [id]);
      }
      await publish(stage, [{ name: 'lap.app', price: '$9', minimum: { amount: '5', currency: 'USD' } }]);
      const [unread, later] = await stage.as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
         select 'lap.app', '$15k', 'Ada', 'ada@example.com' from generate_series(1, 2) returning id`,
      );
      await stage.as(
        OWNER,
        `insert into private.offer_moves (offer_id, number, side, kind, amount)
         values ($1, 2, 'owner', 'counter', '16k'), ($1, 3, 'buyer', 'withdraw', null), ($2, 2, 'owner', 'counter', '17k')`,
        [unread?.id, later?.id],
      );
      await stage.rejects(
        OWNER,
        `update public.offers set value = 1, currency = 'USD', low = true where id = $1`,
        [unread?.id],
      );
      const listed = { price: '$9', minimum_currency: 'USD', domain_name: 'lap.app' };
      const read = (await stage.value(FUNCTIONS, 'select public.read_unread_amounts()')) as Row[];
      assert.deepEqual(
        read
          .filter(({ offer_id }) => offer_id === unread?.id)
          .toSorted((one, other) => Number(one.number) - Number(other.number)),
        [
          { offer_id: unread?.id, number: 1, text: '$15k', ...listed },
          { offer_id: unread?.id, number: 2, text: '16k', ...listed },
        ],
      );
      const store = (amount: string) =>
        stage.as(FUNCTIONS, 'select public.store_amounts($1)', [
          JSON.stringify([
            { offer_id: unread?.id, number: 1, price: usd(amount) },
            { offer_id: unread?.id, number: 2 },
            { offer_id: id, number: 1, price: usd(amount) },
          ]),
        ]);
      await stage.as(FUNCTIONS, 'select public.store_amounts($1)', [
        JSON.stringify([{ offer_id: unread?.id, number: 3, price: usd('1') }]),
      ]);
      await store('15000');
      await store('16000');
      const values = await stage.as(
        OWNER,
        `select o.value::integer, o.currency, m.value as moved, m.currency as moved_currency from public.offers o
         left join private.offer_moves m on m.offer_id = o.id and m.number = 2 where o.id in ($1, $2) order by o.value`,
        [id, unread?.id],
      );
      assert.deepEqual(values, [
        { value: 500, currency: 'USD', moved: null, moved_currency: null },
        { value: 15_000, currency: 'USD', moved: null, moved_currency: '' },
      ]);
      const left = (await stage.value(FUNCTIONS, 'select public.read_unread_amounts()')) as Row[];
      assert.ok(!left.some(({ offer_id }) => offer_id === unread?.id));
      const ofLater = left.filter(({ offer_id }) => offer_id === later?.id).map(({ number }) => number);
      assert.deepEqual(ofLater.toSorted(), [1, 2], 'those of another offer are still to be read');
      await stage.rejects(
        OWNER,
        `update private.offer_moves set currency = 'USD', value = 1 where offer_id = $1`,
        [unread?.id],
      );
    });

    test('the minimum of the moment counts: an offer stays low, and a repeated request gets the same', async () => {
      const low = { token: randomUUID(), price: usd('500') };
      await withMinimum(usd('501'));
      const { id } = await submit(stage, low);
      await withMinimum(usd('500'));
      assert.deepEqual(await submit(stage, low), { outcome: 'repeated', id, low: true });
      const usual = { token: randomUUID(), price: usd('500') };
      const { id: other } = await submit(stage, usual);
      await withMinimum(usd('501'));
      assert.deepEqual(await submit(stage, usual), { outcome: 'repeated', id: other });
      await publish(stage, [{ name: 'host.example' }], { keepPrevious: true });
      assert.equal(await isLow(usd('500')), true, 'the pages before are still served');
    });

    test('offers while the minimum changes get the outcome that is stored, and all later ones the new minimum', async () => {
      const outcomes: Row[] = [];
      for (let round = 0; round < 5; round += 1) {
        const offers = atOnce(8, () => ({ price: usd('500') }));
        const minimum = round % 2 ? undefined : usd('501');
        outcomes.push(...(await Promise.all([offers, withMinimum(minimum)]))[0]);
        assert.equal(await isLow(usd('500')), minimum !== undefined);
      }
      const stored = await stage.as(
        OWNER,
        'select id, low from public.offers where id = any($1) order by id',
        [outcomes.map(({ id }) => id)],
      );
      assert.deepEqual(
        outcomes
          .map(({ id, low = false }) => ({ id, low }))
          .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
        stored,
      );
    });

    test('an expired token stores nothing, and finds the offer that it stored before', async () => {
      const token = randomUUID();
      assert.deepEqual(await submit(stage, { token, expired: true }), { outcome: 'expired' });
      const { id } = await submit(stage, { token });
      assert.deepEqual(await submit(stage, { token, expired: true }), { outcome: 'repeated', id });
    });

    test('fifty concurrent requests with one token store one offer, count once for all, and return its id', async () => {
      const token = randomUUID();
      const [sender, all] = [limitOf(100), limitOf(100)];
      const outcomes = await atOnce(50, () => ({ token, limits: { sender: [sender], shared: [all] } }));
      assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
      assert.equal(countOf(outcomes, 'stored'), 1);
      assert.equal(countOf(outcomes, 'repeated'), 49);
      assert.equal(
        (await stage.as(OWNER, 'select 1 from public.offers where id = $1', [outcomes[0]?.id])).length,
        1,
      );
      assert.equal(await hitsOf(all), 1);
      assert.equal(await hitsOf(sender), 50, 'a token that is sent again counts for its sender');
    });

    test('a sender past a limit is rejected with the time to wait, and writes nothing more', async () => {
      // All nine may count before the first one ends: the network has room for them and one more.
      const [ip, network, all] = [limitOf(2), limitOf(10, 'network'), limitOf(9)];
      const limits = { sender: [ip, network], shared: [all] };
      const outcomes = await atOnce(9, () => ({ limits }));
      assert.equal(countOf(outcomes, 'stored'), 2);
      const rows = () =>
        stage.as(OWNER, 'select key_hash, hits, xmin from private.rate_limits order by 1, 2');
      const before = await rows();
      const token = randomUUID();
      const { outcome, wait, full } = await submit(stage, { token, limits });
      assert.deepEqual([outcome, full], ['limited', { [ip.bucket]: wait }]);
      assert.ok(Number(wait) > 0 && Number(wait) <= WINDOW, String(wait));
      assert.deepEqual(await rows(), before);
      assert.equal(await hitsOf(all), 2);
      assert.equal((await submit(stage, { token })).outcome, 'stored', 'the token is not used up');
    });

    test('past the limit of a network and a domain an offer is held, and counts for no other', async () => {
      const [pair, all, held] = [limitOf(2), limitOf(9), limitOf(9)];
      const limits = { sender_and_domain: [pair], shared: [all], held: [held] };
      const stored: unknown[] = [];
      for (let offer = 0; offer < 5; offer += 1)
        stored.push(await isHeld((await submit(stage, { limits })).id));
      assert.deepEqual(stored, [false, false, true, true, true]);
      assert.deepEqual([await hitsOf(all), await hitsOf(held)], [2, 3]);
    });

    test('past a limit of all senders an offer is held', async () => {
      const limits = { shared: [limitOf(2), limitOf(9)] };
      const stored: unknown[] = [];
      for (let offer = 0; offer < 4; offer += 1)
        stored.push(await isHeld((await submit(stage, { limits })).id));
      assert.deepEqual(stored, [false, false, true, true]);
    });

    test('held offers beyond the limit are not stored or counted, and keep their token', async () => {
      const held = limitOf(2);
      const limits = { shared: [limitOf(0)], held: [held] };
      for (let stored = 0; stored < 2; stored += 1) {
        assert.equal((await submit(stage, { limits })).outcome, 'stored');
      }
      const token = randomUUID();
      const limited = await submit(stage, { token, limits });
      assert.deepEqual([limited.outcome, limited.full], ['limited', undefined]);
      assert.ok(Number(limited.wait) > 0 && Number(limited.wait) <= WINDOW, String(limited.wait));
      assert.equal(await hitsOf(held), 2);
      assert.equal((await submit(stage, { token })).outcome, 'stored');
    });

    test('a part of the held offers is left to networks that hold none for the domain', async () => {
      const [ofDomain, again] = [limitOf(5), limitOf(2)];
      const [crowd, other, late, last] = [limitOf(1), limitOf(1), limitOf(1), limitOf(1)];
      const outcomeOf = async (first: Limit) => {
        const limits = { shared: [limitOf(0)], held: [ofDomain], held_again: [again], held_first: [first] };
        return (await submit(stage, { limits })).outcome;
      };
      const outcomes: unknown[] = [];
      for (let offer = 0; offer < 5; offer += 1) outcomes.push(await outcomeOf(crowd));
      assert.deepEqual(outcomes, ['stored', 'stored', 'stored', 'limited', 'limited']);
      assert.deepEqual([await hitsOf(ofDomain), await hitsOf(again), await hitsOf(crowd)], [3, 2, 3]);
      assert.equal(await outcomeOf(other), 'stored', 'the first of its network');
      assert.equal(await outcomeOf(other), 'limited');
      assert.equal(await outcomeOf(late), 'stored');
      assert.equal(await outcomeOf(last), 'limited', 'all are held');
      assert.equal(await hitsOf(ofDomain), 5);
      assert.equal(await hitsOf(last), 0, 'a rejected offer is not the first');
    });

    test('exactly as many of fifty concurrent offers are unheld and held as the limits allow', async () => {
      const domain = 'held.example';
      await publish(stage, [{ name: 'lap.app' }, { name: domain }]);
      const limits = {
        shared: [limitOf(15)],
        held: [limitOf(20)],
        held_again: [limitOf(19)],
        held_first: [limitOf(1)],
      };
      const outcomes = await atOnce(50, () => ({ domain, limits }));
      assert.equal(countOf(outcomes, 'stored'), 35);
      assert.equal(countOf(outcomes, 'limited'), 15);
      assert.deepEqual(
        await stage.as(
          OWNER,
          'select held, count(*)::integer from public.offers where domain_name = $1 group by held order by held',
          [domain],
        ),
        [
          { held: false, count: 15 },
          { held: true, count: 20 },
        ],
      );
    });

    test('an offer waits for its turn in a queue before it counts', async () => {
      const locks = await stage.as(
        OWNER,
        `with submitted as materialized (
           select public.submit_offer('{"domain_name": "lap.app", "offer_amount": "1", "customer_name": "Ada",
             "customer_email": "ada@example.com"}', $1, '', '{}') ->> 'outcome' as outcome
         )
         select s.outcome, count(*)::integer as queues from submitted s join pg_locks l
           on s.outcome is not null and l.locktype = 'advisory' and l.granted and l.pid = pg_backend_pid()
         group by s.outcome`,
        [randomUUID()],
      );
      assert.deepEqual(locks, [{ outcome: 'stored', queues: 1 }]);
    });

    test('offers that share limits in any order do not wait for each other', async () => {
      const [senders, pairs, all, held] = [0, 1, 2, 3].map(() =>
        Array.from({ length: 4 }, () => limitOf(30)),
      );
      const some = (limits: Limit[] = []) => limits.toSorted(() => Math.random() - 0.5).slice(0, 2);
      const count = choice.isConcurrent ? 120 : 12;
      const outcomes = await atOnce(count, () => ({
        limits: {
          sender: some(senders),
          sender_and_domain: some(pairs).slice(1),
          shared: some(all),
          held: some(held),
          held_first: some(pairs).slice(1),
        },
      }));
      assert.equal(countOf(outcomes, 'stored') + countOf(outcomes, 'limited'), count);
    });

    const begin = (token: string, sender: Limit[], checks: Limit[]) =>
      call('begin_bot_check($1, $2, $3, $4)', token, 'texts', sender, checks) as Promise<Row>;

    test('bot checks of an IP are counted before they are made, and passed ones are taken back', async () => {
      const checks = [limitOf(2)];
      const begun = await Promise.all(Array.from({ length: 9 }, () => begin(randomUUID(), [], checks)));
      assert.equal(countOf(begun, 'new'), 2);
      const counted = await hitsOf(checks[0] as Limit);
      const { outcome, wait, full } = await begin(randomUUID(), [], checks);
      assert.equal(await hitsOf(checks[0] as Limit), counted, 'a check that is not made is not counted');
      assert.deepEqual([outcome, full], ['limited', { [checks[0]?.bucket ?? '']: wait }]);
      assert.ok(Number(wait) > 0);
      assert.equal((await begin(randomUUID(), [], [limitOf(2)])).outcome, 'new', 'another IP');

      const passed = [limitOf(1)];
      for (let offer = 0; offer < 3; offer += 1) {
        const token = randomUUID();
        assert.equal((await begin(token, [], passed)).outcome, 'new');
        assert.equal((await submit(stage, { token, checks: passed })).outcome, 'stored');
      }
      assert.equal((await begin(randomUUID(), [], passed)).outcome, 'new');
      await call('release_hits($1)', passed);
      assert.equal((await begin(randomUUID(), [], passed)).outcome, 'new', 'a check that could not be made');
    });

    test('an offer and an attempt to sign in that are limited name the limits that are full, with their own waits', async () => {
      const full = { ...limitOf(1), bucket: 'full' };
      const longer = { ...limitOf(1), bucket: 'longer', window: 1.5 * WINDOW };
      const free = { ...limitOf(9), bucket: 'free' };
      const limits = { sender: [full, free] };
      assert.equal((await submit(stage, { limits })).outcome, 'stored');
      const limited = await submit(stage, { limits });
      assert.deepEqual(limited.full, { full: limited.wait });

      assert.equal((await beginSignIn([longer, free])).wait, 0);
      const { wait, full: found } = await beginSignIn([full, longer, free]);
      assert.deepEqual(Object.keys(found ?? {}).sort(), ['full', 'longer']);
      assert.equal(Math.max(...Object.values(found ?? {})), wait);
      assert.ok((found?.full ?? 0) <= WINDOW && (found?.longer ?? 0) > (found?.full ?? 0), 'the longest');
    });

    test('a used token needs no bot check, and counts for its sender', async () => {
      const [sender, checks] = [limitOf(2), limitOf(1)];
      const token = randomUUID();
      const { id } = await submit(stage, { token });
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual(await begin(token, [sender], [checks]), { outcome: 'repeated', id });
      }
      const limited = await begin(token, [sender], [checks]);
      assert.deepEqual([limited.outcome, limited.full], ['limited', { [sender.bucket]: limited.wait }]);
      assert.equal(await hitsOf(checks), 0);
      assert.equal((await begin(randomUUID(), [sender], [checks])).outcome, 'limited', 'of any token');
      const other = limitOf(1);
      assert.equal((await begin(randomUUID(), [other], [checks])).outcome, 'new');
      assert.equal(await hitsOf(other), 0, 'a new token counts with its offer, and once');
    });

    const beginSignIn = async (limits: Limit[]) =>
      (await call('begin_sign_in($1)', limits)) as {
        wait: number;
        counted_at: string;
        full?: Record<string, number>;
      };

    test('exactly as many of fifty concurrent attempts to sign in are begun as the limits allow', async () => {
      const [ip, network] = [limitOf(5), limitOf(9)];
      const begun = await Promise.all(Array.from({ length: 50 }, () => beginSignIn([ip, network])));
      assert.equal(begun.filter(({ wait }) => wait === 0).length, 5);
    });

    test('an attempt that a limit rejects writes nothing', async () => {
      const [ip, pair] = [limitOf(1), limitOf(5)];
      await stage.as(
        OWNER,
        `insert into private.rate_limits values ($1, $2, 'epoch', now() - interval '1 second', 9)`,
        [ip.bucket, ip.key],
      );
      assert.equal((await beginSignIn([ip, pair])).wait, 0, 'in a new window');
      await stage.as(OWNER, 'delete from private.rate_limits where key_hash = $1 and hits = 9', [ip.key]);
      const newPair = limitOf(5);
      for (let attempt = 0; attempt < 3; attempt += 1) assert.ok((await beginSignIn([ip, newPair])).wait > 0);
      assert.equal(await hitsOf(ip), 1);
      assert.equal(await hitsOf(newPair), 0);
    });

    test('a completed sign-in takes back its own hit, and none of another window', async () => {
      const [ip, pair] = [limitOf(2), { ...limitOf(2), window: 900 }];
      assert.equal((await beginSignIn([ip, pair])).wait, 0);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const { wait, counted_at } = await beginSignIn([ip, pair]);
        assert.equal(wait, 0);
        await call('release_hits($1, $2)', [ip, pair], counted_at);
      }
      assert.deepEqual([await hitsOf(ip), await hitsOf(pair)], [1, 1], 'the guess before stays counted');
      await call('release_hits($1, $2)', [pair], '2020-01-01T00:00:00Z');
      assert.equal(await hitsOf(pair), 1);
      for (let time = 0; time < 3; time += 1) await call('release_hits($1)', [ip]);
      assert.equal(await hitsOf(ip), 0, 'no more than were counted');
    });

    test('sign-ins that begin and that end at once do not wait for each other', async () => {
      const limits = ['account', 'device', 'ip', 'network'].map((bucket) => limitOf(1_000, bucket));
      const user = async () => {
        for (let time = 0; time < (choice.isConcurrent ? 20 : 2); time += 1) {
          const some = limits.toSorted(() => Math.random() - 0.5);
          const { counted_at } = await beginSignIn(some);
          await call('release_hits($1, $2)', some, counted_at);
        }
      };
      await Promise.all(Array.from({ length: 8 }, user));
    });

    test('counting limits deletes windows that are over', async () => {
      await stage.as(
        OWNER,
        `insert into private.rate_limits
         select 'over', n::text, 'epoch', now() - interval '1 second', 1 from generate_series(1, 100) as n`,
      );
      const limit = limitOf(1);
      await beginSignIn([limit]);
      // Each count cleans up with a chance of 1 %: that none of 3,000 does has a chance of 1 in 10^13.
      await stage.as(
        OWNER,
        `do $$ begin for n in 1..3000 loop perform private.count_hits('[]'); end loop; end $$`,
      );
      assert.deepEqual(await stage.as(OWNER, `select 1 from private.rate_limits where bucket = 'over'`), []);
      assert.equal(await hitsOf(limit), 1, 'and no other');
    });
  });
}
