/** Numbers of names: visits, begun bot checks, offers and agreements by day, on both engines. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Arguments, CALLS, type NameNumbers } from '#contract/calls.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  removeOffers,
  STRANGER,
  type Stage,
  submit,
  VISITOR,
} from './cast.ts';
import { ENGINES } from './engines.ts';

type Counts = Arguments<'add_numbers'>['counts'];

const CATALOGUE = [{ name: 'lap.app' }, { name: 'host.example' }, { name: 'site.example' }];
const DAY_MS = 86_400_000;
/** So many days before today, in UTC. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const NONE: NameNumbers = {
  ...{ week: 0, month: 0, before: 0, begun: 0, sent: 0, agreed: 0 },
  periods: Array(12).fill(0),
};

for (const choice of ENGINES) {
  describe(`numbers of names on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());
    beforeEach(async () => {
      await removeOffers(stage);
      await stage.maintain('truncate private.rate_limits, private.name_numbers, private.counting');
      await publish(stage, CATALOGUE);
    });

    const add = (counts: Counts, is_on: boolean | null = null, batch: string = randomUUID()) =>
      stage.as(FUNCTIONS, 'select public.add_numbers($1, $2, $3)', [batch, JSON.stringify(counts), is_on]);
    const numbersOf = async (name = 'lap.app') => {
      const found = await stage.value(ADMINISTRATOR, 'select public.name_numbers($1)', [name]);
      return CALLS.name_numbers.result.parse(found);
    };
    const list = async (sort = 'name', descending = false) => {
      const found = await stage.value(
        ADMINISTRATOR,
        `select public.list_names('{}', sort => $1, descending => $2)`,
        [sort, descending],
      );
      return CALLS.list_names.result.parse(found).names;
    };
    const rows = () => stage.value(OWNER, 'select count(*)::integer from private.name_numbers');
    const accept = (status: string) =>
      stage.as(ADMINISTRATOR, 'update public.offers set status = $1 where not held', [status]);

    test('nothing is counted before a server reports that it counts, nor after it reports that it does not', async () => {
      await submit(stage);
      await accept('accepted');
      assert.equal(await rows(), 0);
      assert.equal(await numbersOf(), null);
      assert.equal((await list())[0]?.numbers, undefined);
      await add([], true);
      assert.deepEqual(await numbersOf(), NONE);
      assert.deepEqual((await list())[0]?.numbers, NONE);
      await add([], false);
      await submit(stage);
      assert.equal(await rows(), 0);
      assert.equal(await numbersOf(), null);
      await add([{ name: 'lap.app', day: daysAgo(0), visits: 1 }]);
      assert.equal(await numbersOf(), null, 'what another server counted before');
    });

    test('visits are summed up by name and day; a batch is added once', async () => {
      const counts = [
        { name: 'lap.app', day: daysAgo(0), visits: 3, begun: 2 },
        { name: 'lap.app', day: daysAgo(6), visits: 4 },
        { name: 'lap.app', day: daysAgo(7), visits: 5 },
        { name: 'lap.app', day: daysAgo(29), visits: 6 },
        { name: 'lap.app', day: daysAgo(30), visits: 7, begun: 9 },
        { name: 'lap.app', day: daysAgo(59), visits: 8 },
        { name: 'lap.app', day: daysAgo(60), visits: 9 },
        { name: 'lap.app', day: daysAgo(359), visits: 10 },
        { name: 'lap.app', day: daysAgo(360), visits: 100 },
        { name: 'host.example', day: daysAgo(0), begun: 1 },
        { name: 'unknown.example', day: daysAgo(0), visits: 1_000 },
      ];
      const batch = randomUUID();
      for (let time = 0; time < 2; time += 1) {
        await add(counts, true, batch);
        // Of another server.
        await add([{ name: 'lap.app', day: daysAgo(90), visits: 1 }]);
      }
      const expected = {
        ...{ week: 7, month: 18, before: 15, begun: 2, sent: 0, agreed: 0 },
        periods: [10, 0, 0, 0, 0, 0, 0, 0, 2, 9, 15, 18],
      };
      assert.deepEqual(await numbersOf(), expected);
      assert.deepEqual(await numbersOf('host.example'), { ...NONE, begun: 1 });
      assert.deepEqual(await numbersOf('unknown.example'), NONE);
      await add([{ name: 'lap.app', day: daysAgo(0), visits: 1 }]);
      assert.equal((await numbersOf())?.week, 8);
      const names = (await list()).map(({ name, numbers }) => [name, numbers?.month]);
      assert.deepEqual(names, [
        ['host.example', 0],
        ['lap.app', 19],
        ['site.example', 0],
      ]);
      assert.equal(await rows(), Number(await rowsOf('lap.app')) + 1);
    });

    test('a batch that is sent again after 99 others is not added', async () => {
      const batch = randomUUID();
      const visit = [{ name: 'lap.app', day: daysAgo(0), visits: 1 }];
      await add(visit, true, batch);
      for (let other = 0; other < 99; other += 1) await add(visit);
      await add(visit, true, batch);
      assert.equal((await numbersOf())?.week, 100);
      const last = randomUUID();
      const both = [...visit, { name: 'lap.app', day: daysAgo(0), visits: 2 }];
      for (const _ of ['sent', 'sent again']) await add(both, null, last);
      assert.equal((await numbersOf())?.week, 103, 'of two processes of a server');
      const stored = await stage.value(OWNER, 'select cardinality(batches) from private.counting');
      assert.equal(stored, 100);
    });
    const rowsOf = (name: string) =>
      stage.value(OWNER, 'select count(*)::integer from private.name_numbers where name = $1', [name]);

    test('a day in the future counts as today, one of more than 12 months ago as none', async () => {
      await add([
        { name: 'lap.app', day: daysAgo(-400), visits: 1 },
        { name: 'lap.app', day: daysAgo(0), visits: 1 },
        { name: 'lap.app', day: daysAgo(400), visits: 1 },
      ]);
      assert.deepEqual([(await numbersOf())?.week, await rows()], [2, 1]);
    });

    test('names are sorted by their visits of 7 and of 30 days', async () => {
      await add([
        { name: 'lap.app', day: daysAgo(7), visits: 90 },
        { name: 'lap.app', day: daysAgo(30), visits: 900 },
        { name: 'site.example', day: daysAgo(6), visits: 20 },
        { name: 'site.example', day: daysAgo(29), visits: 30 },
      ]);
      const orderOf = async (sort: string, descending = true) =>
        (await list(sort, descending)).map(({ name }) => name).join(' ');
      assert.equal(await orderOf('visits_7'), 'site.example host.example lap.app');
      assert.equal(await orderOf('visits_30'), 'lap.app site.example host.example');
      assert.equal(await orderOf('visits_30', false), 'host.example site.example lap.app');
    });

    test('visits of the month before count where names are sorted', {
      skip: choice.isConcurrent && 'without a clock of its own',
    }, async (context) => {
      context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 9, 3, 12) });
      await add([
        { name: 'lap.app', day: daysAgo(1), visits: 2 },
        { name: 'site.example', day: daysAgo(6), visits: 3 },
        { name: 'host.example', day: daysAgo(29), visits: 4 },
      ]);
      for (const [sort, order] of [
        ['visits_7', 'site.example lap.app host.example'],
        ['visits_30', 'host.example site.example lap.app'],
      ])
        assert.equal((await list(sort, true)).map(({ name }) => name).join(' '), order, sort);
    });

    test('an offer is counted unless it is held, and an agreement unless it is taken back within an hour', async () => {
      await add([], true);
      const held = { shared: [limitOf(0)], held: [], held_first: [], held_again: [] };
      await submit(stage);
      await submit(stage, { limits: held });
      const agreed = async () => {
        const numbers = await numbersOf();
        return [numbers?.sent, numbers?.agreed];
      };
      assert.deepEqual(await agreed(), [1, 0]);
      await accept('accepted');
      assert.deepEqual(await agreed(), [1, 1]);
      assert.deepEqual(await numbersOf('host.example'), NONE);
      await accept('pending');
      assert.deepEqual(await agreed(), [1, 0]);
      await accept('accepted');
      await stage.maintain(
        `update private.deals set agreed_at = agreed_at - interval '2 hours' where ended_at is null`,
      );
      await accept('rejected');
      assert.deepEqual(await agreed(), [1, 1]);
      await removeOffers(stage);
      assert.deepEqual(await agreed(), [1, 1], 'after the offer was erased');
    });

    test('offers and agreements of more than 30 days ago are not among those of 30 days', async () => {
      await add([], true);
      await stage.maintain(
        `insert into private.name_numbers (name, month, sent, agreed)
         select 'lap.app', date_trunc('month', (now() at time zone 'UTC')::date - 60), n, n
         from (select array_fill(1, array[28])) as a (n)`,
      );
      const numbers = await numbersOf();
      assert.deepEqual([numbers?.sent, numbers?.agreed], [0, 0]);
    });

    test('an agreement from before numbers were counted is not taken from them', async () => {
      await submit(stage);
      await accept('accepted');
      await add([], true);
      await accept('pending');
      assert.deepEqual(await numbersOf(), NONE);
    });

    test('a number of a day has an upper bound, beyond which it stays', async () => {
      const most = 2 ** 31 - 1;
      for (const visits of [most, 1]) await add([{ name: 'lap.app', day: daysAgo(0), visits }]);
      assert.equal((await numbersOf())?.week, most);
    });

    test('numbers that are received in another database are present, also once more was counted there', async () => {
      const visit = [{ name: 'lap.app', day: daysAgo(0), visits: 1 }];
      await add(visit);
      const { rows } = (await stage.value(FUNCTIONS, `select public.read_rows('name_numbers')`)) as {
        rows: object[];
      };
      await stage.maintain('truncate private.name_numbers');
      const receive = () =>
        stage.value(FUNCTIONS, `select public.receive_rows('name_numbers', $1)`, [JSON.stringify(rows)]);
      assert.deepEqual(await receive(), { present: 1, erased: 0, total: 1 });
      await add(visit);
      assert.deepEqual(await receive(), { present: 1, erased: 0, total: 1 });
      assert.equal((await numbersOf())?.week, 2);
    });

    test('a low offer is counted', async () => {
      await publish(stage, [{ name: 'lap.app', minimum: { amount: '500', currency: 'USD' } }]);
      await add([], true);
      const { low } = await submit(stage, { price: { amount: '1', currency: 'USD' } });
      assert.deepEqual([low, (await numbersOf())?.sent], [true, 1]);
    });

    test('an agreement that is taken back is taken from its own day', async () => {
      await add([], true);
      await submit(stage);
      await accept('accepted');
      // Between two days, because the time of the database cannot be set.
      await stage.maintain(
        `update private.deals set agreed_at = agreed_at + interval '1 day' where ended_at is null`,
      );
      await accept('pending');
      assert.equal((await numbersOf())?.agreed, 1, 'of today');
    });

    test('numbers are removed after 12 months, and 30 days after their name left the catalogue', async () => {
      const counts = CATALOGUE.map(({ name }) => ({ name, day: daysAgo(1), visits: 1 }));
      await add([...counts, { name: 'lap.app', day: daysAgo(330), visits: 1 }], true);
      await publish(stage, CATALOGUE.slice(0, 2));
      const calls = ['remove_expired()', `add_numbers(gen_random_uuid(), '[]', true)`];
      const nextDay = async (statement = '') => {
        await stage.maintain(`update private.counting set cleaned_on = cleaned_on - 1; ${statement}`);
        const call = calls.reverse()[0];
        await stage.as(FUNCTIONS, `select public.${call}`);
      };
      await nextDay();
      const goneOn = () =>
        stage.value(
          OWNER,
          'select jsonb_object_agg(name, gone_on) from private.name_numbers where gone_on is not null',
        );
      assert.deepEqual(await goneOn(), { 'site.example': daysAgo(0) });
      await nextDay('update private.name_numbers set gone_on = gone_on - 29');
      assert.equal(await rowsOf('site.example'), 1);
      await publish(stage, CATALOGUE);
      await nextDay();
      assert.equal(await goneOn(), null, 'in the catalogue again');
      await publish(stage, CATALOGUE.slice(0, 2));
      await nextDay();
      await nextDay(`update private.name_numbers set gone_on = gone_on - 30`);
      assert.equal(await rowsOf('site.example'), 0);
      assert.equal(await rowsOf('lap.app'), 2);
      const months = (count: number) =>
        `update private.name_numbers set month = date_trunc('month', now() at time zone 'UTC') - interval '${count} months'
         where month < current_date - 200`;
      await nextDay(months(12));
      assert.equal(await rowsOf('lap.app'), 2, 'the 12 months before this one');
      await nextDay(months(13));
      assert.equal(await rowsOf('lap.app'), 1);
    });

    test('no name has left the catalogue while there is none', async () => {
      await add([{ name: 'lap.app', day: daysAgo(1), visits: 1 }], true);
      await stage.maintain(
        `update private.counting set cleaned_on = cleaned_on - 1;
         delete from private.published_catalogue; delete from private.listings`,
      );
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      const goneOn = await stage.value(OWNER, 'select gone_on from private.name_numbers');
      assert.equal(goneOn, null);
    });

    test('1,000 names take less than 4 MB for 13 months with visits on two days of three', async () => {
      await stage.maintain(
        `insert into private.name_numbers (name, month, visits, begun)
         select 'name-' || n || '.example', (date '2026-01-01' + make_interval(months => m))::date,
           array(select case when d % 3 > 0 then d + n end from generate_series(1, 30) as d), array[null, null, null, 1]
         from generate_series(1, 1000) as n, generate_series(0, 12) as m`,
      );
      const bytes = await stage.value(
        OWNER,
        `select pg_total_relation_size('private.name_numbers')::integer`,
      );
      assert.ok(Number(bytes) < 4_000_000, `${bytes} bytes`);
    });

    test('administrators read numbers, and the server alone adds them', async () => {
      const read = `select public.name_numbers('lap.app')`;
      await stage.endsSession(STRANGER, read);
      for (const actor of [VISITOR, FUNCTIONS]) await stage.rejects(actor, read);
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR])
        await stage.rejects(actor, `select public.add_numbers(gen_random_uuid(), '[]', true)`);
    });
  });
}
