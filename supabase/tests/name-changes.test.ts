/** The dashboard's page of names: its lists, and the changes of administrators beside the catalogue's file and its publications. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Arguments, Returned } from '#contract/calls.ts';
import { CALLS } from '#contract/calls.ts';
import {
  ADMINISTRATOR,
  type Entry,
  FUNCTIONS,
  limitOf,
  OWNER,
  openAuthSession,
  openStage,
  publish,
  removeOffers,
  type SignedIn,
  STRANGER,
  type Stage,
  signedIn,
  submit,
  VISITOR,
} from './cast.ts';
import { type Actor, ENGINES } from './engines.ts';

type Change = Arguments<'change_names'>['changes'][number];
type History = Returned<'name_history'>;

const NOW = '2999-01-01';
const CATALOGUE: Entry[] = [
  { name: 'host.example' },
  { name: 'lap.app', price: '$10,000', value: '10000', currency: 'USD' },
];
const state = (from: string | null, to: string | null, name = 'lap.app'): Change => ({
  name,
  field: 'state',
  from,
  to,
  listing: { state: (to ?? 'for_sale') as NonNullable<Entry['state']> },
});
const price = (from: string | null, value: string, name = 'lap.app'): Change => ({
  name,
  field: 'price',
  from,
  to: `$${value}`,
  listing: { price: `$${value}`, value, currency: 'USD' },
});

for (const choice of ENGINES) {
  describe(`changes of names on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());
    beforeEach(async () => {
      await removeOffers(stage);
      await stage.maintain('truncate private.rate_limits, private.name_changes');
      await publish(stage, CATALOGUE, { readAt: NOW });
    });

    const changeAs = async (actor: Actor, changes: Change[], batch: string = randomUUID()) => {
      const body = CALLS.change_names.body.parse({ batch, changes });
      const result = await stage.value(actor, 'select public.change_names($1, $2)', [
        batch,
        JSON.stringify(body.changes),
      ]);
      return CALLS.change_names.result.parse(result);
    };
    const change = (...changes: Change[]) => changeAs(ADMINISTRATOR, changes);
    const make = async (...changes: Change[]): Promise<number[]> => {
      const made = await change(...changes);
      assert.equal(made.outcome, 'made');
      return 'ids' in made ? made.ids : [];
    };
    const mark = (written: number[], dropped: { id: number; found: string | null }[] = []) =>
      stage.as(FUNCTIONS, 'select public.mark_name_changes($1, $2)', [written, JSON.stringify(dropped)]);
    const open = async () => {
      const rows = await stage.value(FUNCTIONS, 'select public.read_open_name_changes()');
      return CALLS.read_open_name_changes.result.parse(rows);
    };
    const history = async (body: Arguments<'name_history'> = {}): Promise<History> => {
      const { name = null, batch = null, before = null } = body;
      const rows = await stage.value(ADMINISTRATOR, 'select public.name_history($1, $2, $3)', [
        name,
        batch,
        before,
      ]);
      return CALLS.name_history.result.parse(rows);
    };
    const listing = (name = 'lap.app') =>
      stage.value(OWNER, 'select to_jsonb(l) from private.listings l where name = $1', [name]) as Promise<
        Record<string, unknown>
      >;
    const stateOf = async (name?: string) => (await listing(name)).state;
    const version = () => stage.value(FUNCTIONS, `select (public.read_listings() ->> 'version')::integer`);
    const list = async (body: Arguments<'list_names'> = {}) => {
      const { filter = {}, sort = 'name', descending = false, page = 0, page_size = 50 } = body;
      const parameters = [JSON.stringify(filter), sort, descending, page, page_size];
      const result = await stage.value(
        ADMINISTRATOR,
        'select public.list_names($1, $2, $3, $4, $5)',
        parameters,
      );
      return CALLS.list_names.result.parse(result);
    };
    const namesOf = async (body: Arguments<'list_names'>) => {
      const { total, names } = await list(body);
      return [total, names.map(({ name }) => name).join(' ')];
    };

    const openSession = ({ userId, sessionId }: SignedIn, step: number | null = null) =>
      stage.value(FUNCTIONS, `select public.open_admin_session($1, $2, 12, 120, $3) ->> 'status'`, [
        userId,
        sessionId,
        step,
      ]);

    test('a change is in force and in the history at once', async () => {
      const before = Number(await version());
      const [id] = await make(state(null, 'sold'));
      assert.deepEqual(await submit(stage, { domain: 'lap.app' }), {
        outcome: 'not_for_sale',
        state: 'sold',
      });
      assert.equal(await version(), before + 1);
      const [row, ...others] = await history();
      assert.deepEqual(others, []);
      const { batch, changed_at, ...rest } = row ?? ({} as History[number]);
      assert.deepEqual(rest, {
        id,
        name: 'lap.app',
        field: 'state',
        from: null,
        to: 'sold',
        changed_by_email: 'owner@example.com',
        written_at: null,
        dropped_at: null,
        found: null,
      });
      const { changed_by_email: _, written_at: __, dropped_at: ___, found: ____, ...openRow } = rest;
      assert.deepEqual(await open(), [{ ...openRow, batch, changed_at }]);
    });

    test('each part of a listing is set, and parts that are absent stay', async () => {
      const minimum = { amount: '4000', currency: 'USD' };
      await make(price('$10,000', '9000'), {
        name: 'lap.app',
        field: 'minimum',
        from: null,
        to: '$4,000',
        listing: { minimum },
      });
      const changed = {
        name: 'lap.app',
        state: 'for_sale',
        price: '$9000',
        value: 9000,
        currency: 'USD',
        minimum: 4000,
        minimum_currency: 'USD',
        checkout: null,
      };
      assert.deepEqual(await listing(), changed);
      assert.deepEqual(
        await submit(stage, { price: { amount: '3000', currency: 'USD' } }).then(({ low }) => low),
        true,
      );
      const texts: Change[] = [
        { name: 'lap.app', field: 'description.en', from: null, to: 'Short.' },
        { name: 'new.example', field: 'entry', from: null, to: '$5' },
      ];
      await make(...texts);
      assert.deepEqual(await listing(), changed);
      assert.equal(await listing('new.example'), undefined);
      await make({
        name: 'lap.app',
        field: 'minimum',
        from: '$4,000',
        to: null,
        listing: { minimum: null },
      });
      assert.equal((await listing()).minimum, null);
    });

    test('nobody changes or reads names without the rights of an open administrator’s session', async () => {
      const enrolled = signedIn();
      const ended = signedIn(ADMINISTRATOR.userId);
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        enrolled.userId,
        `${enrolled.userId}@example.com`,
      ]);
      for (const actor of [enrolled, ended]) await openAuthSession(stage, actor);
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [enrolled.userId]);
      await stage.as(FUNCTIONS, `select public.set_factor($1, 'sealed', 'key', 1, '{}')`, [enrolled.userId]);
      const status = await openSession(enrolled);
      assert.equal(status, 'code_required');
      await openSession(ended);
      await stage.as(OWNER, 'update private.admin_sessions set ends_at = now() where session_id = $1', [
        ended.sessionId,
      ]);
      const reads = ['list_names()', 'name_counts()', 'name_history()'];
      for (const actor of [STRANGER, enrolled, ended]) {
        await assert.rejects(changeAs(actor, [state(null, 'sold')]), { code: 'PT401' });
        for (const read of reads) await stage.endsSession(actor, `select public.${read}`);
      }
      for (const actor of [VISITOR, FUNCTIONS]) {
        await assert.rejects(changeAs(actor, [state(null, 'sold')]), { code: '42501' });
        for (const read of reads) await stage.rejects(actor, `select public.${read}`);
      }
      assert.equal(await stateOf(), 'for_sale');
      assert.deepEqual(await history(), []);
      for (const call of ['read_open_name_changes()', `mark_name_changes('{}', '[]')`]) {
        for (const actor of [VISITOR, STRANGER, ADMINISTRATOR])
          await stage.rejects(actor, `select public.${call}`);
      }
      await stage.rejects(ADMINISTRATOR, 'select from private.name_changes');
      await openSession(enrolled, 2);
      assert.equal((await changeAs(enrolled, [state(null, 'sold')])).outcome, 'made');
    });

    test('a value that another administrator changed meanwhile is not changed, and the new one is returned', async () => {
      await make(state(null, 'reserved'), price('$10,000', '9000'));
      const other = { name: 'host.example', field: 'state', from: null, to: 'sold' };
      assert.deepEqual(await change(other, state(null, 'sold'), price('$9000', '1')), {
        outcome: 'changed',
        changed: [{ name: 'lap.app', field: 'state', value: 'reserved' }],
      });
      assert.equal(await stateOf(), 'reserved');
      assert.equal((await history()).length, 2);
      assert.equal((await change(state('reserved', null))).outcome, 'made');
      assert.equal(await stateOf(), 'for_sale');
      // The newest one counts, also where it is no own value.
      assert.deepEqual(await change(state('reserved', 'sold')), {
        outcome: 'changed',
        changed: [{ name: 'lap.app', field: 'state', value: null }],
      });
      assert.equal((await change(state(null, 'sold'))).outcome, 'made');
    });

    test('what was edited in the file since the last build can be changed', async () => {
      assert.equal((await change(state('reserved', 'sold'))).outcome, 'made');
      await mark((await open()).map(({ id }) => id));
      // Taken back in the file, and not built yet: the server compares with the file.
      assert.equal((await change(state('reserved', 'sold'))).outcome, 'made');
      await mark((await open()).map(({ id }) => id));
      await publish(stage, [{ name: 'lap.app', state: 'reserved' }], { readAt: NOW });
      assert.equal((await change(state('reserved', 'sold'))).outcome, 'made');
    });

    test('a batch that is sent again is not made again', async () => {
      const batch = randomUUID();
      const changes = [price('$10,000', '9000'), state(null, 'reserved')];
      await make(state(null, 'sold', 'host.example'));
      const made = await changeAs(ADMINISTRATOR, changes, batch);
      assert.deepEqual(await changeAs(ADMINISTRATOR, changes, batch), { ...made, outcome: 'repeated' });
      assert.deepEqual(
        (await history({ batch })).map(({ id }) => id).toReversed(),
        'ids' in made && made.ids,
      );
      await assert.rejects(changeAs(ADMINISTRATOR, [state(null, 'sold')], batch), { code: '22023' });
      // As if another administrator had stored it, who is deleted.
      await stage.as(OWNER, 'update private.name_changes set changed_by = $1', [STRANGER.userId]);
      await assert.rejects(changeAs(ADMINISTRATOR, changes, batch), { code: '22023' });
      await stage.as(OWNER, 'update private.name_changes set changed_by = gen_random_uuid()');
      assert.deepEqual(
        (await history()).map((one) => one.changed_by_email),
        [null, null, null],
      );
    });

    test('a batch that is wrong in one field changes nothing', async () => {
      const right = state(null, 'sold');
      for (const [changes, code] of [
        [[right, right], '23505'],
        [[right, { ...right, field: 'about' }], '23514'],
        [[right, { ...right, name: 'host.example', listing: { state: 'gone' } }], '23514'],
        [[right, { ...price(null, '1'), listing: { minimum: { amount: '-1', currency: 'USD' } } }], '23514'],
        [[right, { ...price(null, '1'), to: 'x'.repeat(5_001) }], '23514'],
        [Array.from({ length: 501 }, () => right), '22023'],
        [{}, '22023'],
        [['none'], '23502'],
      ] as const) {
        const call = stage.as(ADMINISTRATOR, 'select public.change_names($1, $2)', [
          randomUUID(),
          JSON.stringify(changes),
        ]);
        await assert.rejects(call, { code }, code);
      }
      assert.equal(await stateOf(), 'for_sale');
      assert.deepEqual(await history(), []);
    });

    test('an account makes 200 changes in 10 minutes, 20 of them of many names', async () => {
      const limit = (bucket: string, hits: number) =>
        stage.as(OWNER, 'update private.rate_limits set hits = $2 where bucket = $1', [bucket, hits]);
      const many = (length = 21) =>
        change(
          ...Array.from({ length }, (_, n) => ({
            name: `n${n}.example`,
            field: 'description.en',
            from: null,
            to: null,
          })),
        );
      assert.equal((await many()).outcome, 'made');
      await limit('names.account', 30);
      assert.equal((await many()).outcome, 'made', 'after 30 changes of few names');
      await limit('names.account', 200);
      assert.equal((await many()).outcome, 'limited', 'a change of many names is one of the 200');
      await limit('names.account', 1);
      await limit('names.many', 20);
      const limited = await many();
      assert.ok(limited.outcome === 'limited' && limited.wait > 0 && limited.wait <= 600);
      assert.equal((await many(20)).outcome, 'made', 'these are not many');
      await make(state(null, 'reserved'));
      await limit('names.account', 200);
      assert.equal((await change(state('reserved', 'sold'))).outcome, 'limited');
      assert.equal(await stateOf(), 'reserved');
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        `${other.userId}@example.com`,
      ]);
      await openAuthSession(stage, other);
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [other.userId]);
      await openSession(other);
      assert.equal((await changeAs(other, [state('reserved', 'sold')])).outcome, 'made');
    });

    test('a publication takes back nothing that its build did not read', async () => {
      const before = new Date(Date.now() - 1_000).toISOString();
      const next: Entry[] = [
        { name: 'host.example', state: 'reserved' },
        { name: 'lap.app', price: '$7' },
        { name: 'new.example' },
      ];
      const ids = await make(state(null, 'sold'));
      for (const keepPrevious of [true, false]) {
        await publish(stage, next, { readAt: before, keepPrevious });
        // Neither while the file is not written, whenever the build read it.
        await publish(stage, next, { readAt: NOW, keepPrevious });
        const { state: kept, price: asked } = await listing();
        assert.deepEqual([kept, asked], ['sold', '$10,000']);
      }
      assert.deepEqual(
        [await stateOf('host.example'), await stateOf('new.example')],
        ['reserved', 'for_sale'],
      );
      await mark(ids);
      // Built now, and begun before.
      await publish(stage, next, { readAt: before, builtAt: NOW, keepPrevious: true });
      assert.equal(await stateOf(), 'sold');
      for (const readAt of [before, null]) await publish(stage, next, { readAt });
      assert.equal(await stateOf(), 'sold');
      await publish(stage, next, { readAt: NOW });
      assert.deepEqual([await stateOf(), (await listing()).price], ['for_sale', '$7']);
      // Started again with the older build, the product publishes that one.
      await publish(stage, CATALOGUE, { readAt: before });
      assert.equal(await stateOf(), 'for_sale');
    });

    test('a publication takes back nothing that was stored before its build read the file, and written after', async () => {
      const ids = await make(state(null, 'sold'));
      await stage.as(OWNER, `update private.name_changes set changed_at = changed_at - interval '1 minute'`);
      await mark(ids);
      await publish(stage, CATALOGUE, { readAt: new Date(Date.now() - 30_000).toISOString() });
      assert.equal(await stateOf(), 'sold');
    });

    for (const one of [
      price('$10,000', '9000'),
      {
        ...{ name: 'lap.app', field: 'minimum', from: null, to: '$4,000' },
        listing: { minimum: { amount: '4000', currency: 'USD' } },
      },
    ] satisfies Change[])
      test(`a publication takes back no ${one.field} alone that its build did not read`, async () => {
        await mark(await make(one));
        const changed = await listing();
        await publish(stage, CATALOGUE, { readAt: new Date(Date.now() - 60_000).toISOString() });
        assert.deepEqual(await listing(), changed);
      });

    test('a change that nobody marks is taken back by a build 10 minutes later, and by none before', async () => {
      await make(state(null, 'sold'));
      const publishAfter = async (time: string) => {
        await stage.as(OWNER, 'update private.name_changes set changed_at = changed_at - $1::interval', [
          time,
        ]);
        await publish(stage, CATALOGUE, { readAt: NOW });
        return await stateOf();
      };
      assert.equal(await publishAfter('9 minutes'), 'sold');
      assert.equal(await publishAfter('1 minute'), 'for_sale');
      assert.equal((await change(state(null, 'reserved'))).outcome, 'made');
    });

    test('a text that no listing has does not keep a publication away', async () => {
      await make({ name: 'lap.app', field: 'description.en', from: null, to: 'Short.' });
      await publish(stage, [{ name: 'lap.app', state: 'sold' }], {
        readAt: new Date(Date.now() - 1_000).toISOString(),
      });
      assert.equal(await stateOf(), 'sold');
    });

    test('a written change is no longer open, and a dropped one gives back what it replaced', async () => {
      const [first = 0, second = 0] = await make(state(null, 'reserved'), price('$10,000', '9000'));
      const before = Number(await version());
      await mark([second], [{ id: first, found: 'sold' }]);
      assert.equal(await version(), before + 1);
      assert.deepEqual(await open(), []);
      const { state: back, price: asked, value, currency } = await listing();
      assert.deepEqual([back, asked, value, currency], ['for_sale', '$9000', 9000, 'USD']);
      const rows = await history();
      assert.deepEqual(
        rows.map(({ written_at, dropped_at, found }) => [written_at !== null, dropped_at !== null, found]),
        [
          [true, false, null],
          [false, true, 'sold'],
        ],
      );
      // What is decided stays.
      await mark([first], [{ id: second, found: null }]);
      assert.deepEqual(await history(), rows);
      // A dropped change is none: the value before is compared again by the file alone.
      assert.equal((await change(state('sold', null))).outcome, 'made');
    });

    test('a dropped change gives back what it replaced beside a later one of another name', async () => {
      const [id = 0] = await make(state(null, 'sold'));
      await make(state(null, 'reserved', 'host.example'));
      await mark([], [{ id, found: null }]);
      assert.deepEqual([await stateOf(), await stateOf('host.example')], ['for_sale', 'reserved']);
    });

    test('dropped changes of one field give back what was before all of them, in any order', async () => {
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
      ]) {
        const ids: number[] = [];
        for (const [from, to] of [
          [null, 'reserved'],
          ['reserved', 'sold'],
          ['sold', 'reserved'],
        ] as const) {
          ids.push(...(await make(state(from, to))));
        }
        const states: unknown[] = [];
        for (const at of order) {
          await mark([], [{ id: ids[at] ?? 0, found: null }]);
          states.push(await stateOf());
        }
        assert.equal(states.at(-1), 'for_sale', String(order));
        assert.equal(states[0], order[0] === 2 ? 'sold' : 'reserved', String(order));
      }
      const ids = [...(await make(state(null, 'reserved'))), ...(await make(state('reserved', 'sold')))];
      await mark(
        [],
        ids.map((id) => ({ id, found: null })),
      );
      assert.equal(await stateOf(), 'for_sale');
    });

    test('the history is read by name and by page, and stays when its name leaves the catalogue', async () => {
      const texts = Array.from({ length: 130 }, (_, n) => ({
        name: n % 2 === 0 ? 'lap.app' : 'host.example',
        field:
          n < 2 ? 'minimum' : `description.${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
        from: null,
        to: String(n),
      }));
      await make(...texts);
      await publish(stage, [{ name: 'host.example' }], { readAt: NOW });
      const [page, rest] = [await history(), await history({ before: (await history()).at(-1)?.id })];
      assert.deepEqual(
        [...page, ...rest].map(({ to }) => Number(to)),
        Array.from({ length: 130 }, (_, n) => 129 - n),
      );
      assert.equal(page.length, 100);
      const ofName = await history({ name: 'lap.app' });
      assert.equal(ofName.length, 65);
      assert.ok(ofName.every(({ name }) => name === 'lap.app'));
      assert.deepEqual(await history({ name: 'other.example' }), []);
    });

    test('the history goes to another database without what is open, once', async () => {
      const batch = await make(
        state(null, 'sold'),
        price('$10,000', '9000'),
        state(null, 'sold', 'host.example'),
      );
      const [first = 0, , last = 0] = batch;
      await mark([first], [{ id: last, found: 'reserved' }]);
      const [before] = await history();
      const { rows } = (await stage.value(FUNCTIONS, `select public.read_rows('name_changes')`)) as {
        rows: object[];
      };
      await stage.maintain('truncate private.name_changes');
      const receive = () =>
        stage.value(FUNCTIONS, `select public.receive_rows('name_changes', $1)`, [JSON.stringify(rows)]);
      assert.deepEqual(await receive(), { present: 3, erased: 0, total: 3 });
      assert.deepEqual(await receive(), { present: 3, erased: 0, total: 3 });
      assert.deepEqual(await open(), []);
      const [earlier, dropped, written] = await history();
      assert.deepEqual([earlier?.dropped_at, earlier?.found], [before?.dropped_at, 'reserved']);
      assert.deepEqual([dropped?.to, typeof dropped?.dropped_at], ['$9000', 'string']);
      assert.deepEqual([written?.to, typeof written?.written_at], ['sold', 'string']);
    });

    const usd = (amount: number) => ({
      amount: `$${amount}`,
      price: { amount: String(amount), currency: 'USD' },
    });
    const eur = (amount: number) => ({
      amount: `${amount} €`,
      price: { amount: String(amount), currency: 'EUR' },
    });
    const move = (id: unknown, moved: object) =>
      stage.as(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2)', [id, JSON.stringify(moved)]);

    test('names are listed with their open offers, the best and the agreed amount', async () => {
      await publish(
        stage,
        [
          { name: 'agreed.example', currency: 'USD' },
          { name: 'euro.example', currency: 'USD' },
          { name: 'lap.app', price: '$10,000', currency: 'USD', minimum: { amount: '100', currency: 'USD' } },
          { name: 'none.example', state: 'reserved' },
        ],
        { readAt: NOW },
      );
      const offer = async (domain: string, more: object = {}) =>
        (await submit(stage, { domain, ...more })).id;
      await offer('lap.app', usd(500));
      await offer('lap.app', usd(700));
      await offer('lap.app', eur(9_000));
      await offer('lap.app', { amount: 'my car' });
      await offer('lap.app', usd(1));
      const held = await offer('lap.app', usd(99_000));
      await stage.maintain(
        `begin; set local session_replication_role = replica; update public.offers set held = true where id = '${held}'; commit`,
      );
      const negotiated = await offer('lap.app', usd(600));
      for (const [at, amount] of ['900', '800'].entries())
        await move(negotiated, {
          seen: at + 1,
          kind: 'counter',
          amount: `$${amount}`,
          price: { amount, currency: 'USD' },
        });
      const raised = await offer('euro.example', eur(40));
      await offer('euro.example', eur(50));
      // Its buyer raises it before any answer: it stays pending.
      const hash = 'e'.repeat(64);
      await stage.as(ADMINISTRATOR, 'select public.negotiate_as_owner($1, null, $2)', [
        raised,
        JSON.stringify({ number: 1, hash, nonce: 'e'.repeat(32) }),
      ]);
      await stage.as(FUNCTIONS, `select public.negotiate_as_buyer($1, '[]', $2)`, [
        hash,
        JSON.stringify({ seen: 1, kind: 'offer', ...eur(60) }),
      ]);
      const [byHand, accepted] = [
        await offer('agreed.example', usd(10)),
        await offer('agreed.example', usd(20)),
      ];
      await move(accepted, {
        seen: 1,
        kind: 'counter',
        amount: '$30',
        price: { amount: '30', currency: 'USD' },
      });
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [accepted]);
      const { total, names } = await list();
      assert.equal(total, 4);
      const facts = names.map(({ name, open: count, best, agreed, last_offer_at }) => [
        name,
        count,
        best,
        agreed,
        last_offer_at !== null,
      ]);
      assert.deepEqual(facts, [
        [
          'agreed.example',
          1,
          { amount: '$10', value: 10, currency: 'USD' },
          { amount: '$30', value: 30, currency: 'USD' },
          true,
        ],
        ['euro.example', 2, { amount: '60 €', value: 60, currency: 'EUR' }, null, true],
        ['lap.app', 5, { amount: '$800', value: 800, currency: 'USD' }, null, true],
        ['none.example', 0, null, null, false],
      ]);
      assert.equal((await list({ filter: { only: 'offers' } })).total, 3);
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'negotiating' where id = $1`, [
        byHand,
      ]);
      const [negotiating] = (await list({ filter: { term: 'AGREED', only: 'offers' } })).names;
      assert.equal(negotiating?.open, 1);
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [byHand]);
      const [both] = (await list({ filter: { term: 'AGREED' } })).names;
      assert.equal(both?.agreed?.amount, '$30', 'of the newest one');
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'rejected' where id = $1`, [byHand]);
      const [row] = (await list({ filter: { term: 'AGREED' } })).names;
      assert.deepEqual([row?.open, row?.best], [0, null]);
    });

    test('held and low offers are neither open, best nor last offers of their name', async () => {
      const minimum = { amount: '100', currency: 'USD' };
      const domains = ['first.example', 'held.example', 'low.example', 'open.example'];
      await publish(
        stage,
        domains.map((name) => ({ name, currency: 'USD', minimum })),
        { readAt: NOW },
      );
      const held = { limits: { shared: [limitOf(0)] } };
      await submit(stage, { domain: 'first.example', ...usd(200) });
      for (const amount of [300, 250]) await submit(stage, { domain: 'open.example', ...usd(amount) });
      for (const domain of ['low.example', 'first.example']) await submit(stage, { domain, ...usd(1) });
      for (const domain of ['held.example', 'first.example'])
        await submit(stage, { domain, ...usd(900), ...held });
      const facts = (await list()).names.map(({ name, open: count, best, last_offer_at }) => [
        ...[name, count, best?.amount, last_offer_at !== null],
      ]);
      assert.deepEqual(facts, [
        ['first.example', 1, '$200', true],
        ['held.example', 0, undefined, false],
        ['low.example', 0, undefined, false],
        ['open.example', 2, '$300', true],
      ]);
      for (const sort of ['offers', 'last_offer'] as const) {
        const found = await namesOf({ sort, descending: true, page_size: 2 });
        assert.deepEqual(found, [4, 'open.example first.example'], sort);
      }
      assert.deepEqual(await namesOf({ filter: { only: 'offers' } }), [2, 'first.example open.example']);
      assert.equal(await stage.value(ADMINISTRATOR, `select public.name_counts() -> 'offers'`), 2);
    });

    test('names are filtered, sorted and counted', async () => {
      await publish(
        stage,
        [
          { name: 'a.example', price: '$20', value: '20', currency: 'USD', state: 'sold' },
          { name: 'b_b.example', price: 'on request' },
          { name: 'c.example', price: '100 €', value: '100', currency: 'EUR', state: 'reserved' },
          { name: 'd.example' },
          { name: 'e.example', price: '$3', value: '3', currency: 'USD' },
        ].toReversed() as Entry[],
        { readAt: NOW },
      );
      for (const domain of ['d.example', 'b_b.example', 'd.example']) await submit(stage, { domain });
      const of = async (body: Arguments<'list_names'>) =>
        String((await namesOf(body))[1]).replaceAll(/(?:_b)?\.example/g, '');
      for (const [sort, ascending, descending] of [
        ['name', 'a b c d e', 'e d c b a'],
        ['state', 'b d e c a', 'a c b d e'],
        ['price', 'c e a b d', 'a e c b d'],
        ['offers', 'a c e b d', 'd b a c e'],
        ['last_offer', 'b d a c e', 'd b a c e'],
      ] as const) {
        assert.equal(await of({ sort }), ascending, sort);
        assert.equal(await of({ sort, descending: true }), descending, `${sort} descending`);
      }
      assert.equal(await of({ page: 1, page_size: 2 }), 'c d');
      assert.equal(await of({ page: 1_000_000, page_size: 100 }), '');
      for (const [filter, total, found] of [
        [{ term: 'B_' }, 1, 'b_b.example'],
        [{ term: '%' }, 0, ''],
        [{ state: 'reserved' }, 1, 'c.example'],
        [{ only: 'offers' }, 2, 'b_b.example d.example'],
        [{ only: 'no_price' }, 1, 'd.example'],
        [{ only: 'offers', term: 'd.', state: 'for_sale' }, 1, 'd.example'],
      ] as const) {
        assert.deepEqual(await namesOf({ filter }), [total, found], JSON.stringify(filter));
      }
      const counts = await stage.value(ADMINISTRATOR, 'select public.name_counts()');
      assert.deepEqual(counts, {
        state: { for_sale: 3, reserved: 1, sold: 1 },
        offers: 2,
        no_price: 1,
      });
      for (const wrong of [
        `list_names('{"nope": 1}')`,
        `list_names('{"only": "x"}')`,
        `list_names(sort => 'x')`,
      ])
        await assert.rejects(stage.as(ADMINISTRATOR, `select public.${wrong}`), { code: '22023' });
    });

    test('a page has at most 100 names', async () => {
      await publish(
        stage,
        Array.from({ length: 101 }, (_, n) => ({ name: `n${n}.example` })),
        { readAt: NOW },
      );
      for (const [page, count] of [100, 1].entries()) {
        const { total, names } = await list({ page, page_size: 100 });
        assert.deepEqual([total, names.length], [101, count]);
      }
      const whole = `jsonb_array_length(public.list_names(page_size => 1000) -> 'names')`;
      assert.equal(await stage.value(ADMINISTRATOR, `select ${whole}`), 100);
    });

    test('a page of 10,000 names reads no more rows than one of 100 names', async () => {
      const rowsOf = async (count: number, body: string): Promise<{ listings: number; offers: number }> => {
        const names = Array.from({ length: count }, (_, n) => ({ name: `n${n}.example`, price: '$1' }));
        await removeOffers(stage);
        await publish(stage, names, { readAt: NOW });
        await stage.as(
          OWNER,
          `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, status, value, currency)
           select l.name, '$' || n, 'Ada', 'ada@example.com', (array['pending', 'rejected', 'negotiating'])[1 + n % 3], n, 'USD'
           from private.listings l, generate_series(1, 3) as n`,
        );
        await stage.maintain('analyze public.offers; analyze private.listings');
        const [row = {}] = await stage.as(
          ADMINISTRATOR,
          `with called as materialized (select public.list_names(${body}) as result)
           select result, (
             select jsonb_object_agg(s.relname, s.seq_tup_read + s.idx_tup_fetch) from pg_stat_xact_user_tables s
             where s.relname in ('offers', 'listings') and result is not null
           ) as read from called`,
        );
        const { total, names: page } = row.result as Returned<'list_names'>;
        assert.deepEqual([total, page.length, page[0]?.open], [count, 50, 2]);
        return row.read as { listings: number; offers: number };
      };
      const few = await rowsOf(100, '');
      const many = await rowsOf(10_000, '');
      assert.ok(
        few.offers > 0 && many.offers <= few.offers,
        `${many.offers} offers in place of ${few.offers}`,
      );
      assert.ok(many.listings <= few.listings, `${many.listings} listings in place of ${few.listings}`);
    });
  });
}
