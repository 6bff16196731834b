/** The published catalogue: who takes offers, what a publication replaces, and what the functions and the dashboard read. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  ADMINISTRATOR,
  type Entry,
  FUNCTIONS,
  OWNER,
  openStage,
  publish,
  type Stage,
  submit,
} from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

for (const choice of ENGINES) {
  describe(`listings on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());
    beforeEach(() => publish(stage, [{ name: 'lap.app', price: '$10,000' }, { name: 'host.example' }]));

    const read = (known: number | null = null) =>
      stage.value(FUNCTIONS, 'select public.read_listings($1)', [known]) as Promise<Row>;

    test('an offer for a domain that is not for sale is not stored', async () => {
      await publish(stage, [
        { name: 'lap.app', state: 'sold' },
        { name: 'host.example', state: 'reserved' },
      ]);
      const count = () => stage.value(OWNER, 'select count(*)::integer from public.offers');
      const before = await count();
      for (const [domain, state] of [
        ['lap.app', 'sold'],
        ['host.example', 'reserved'],
        ['other.example', null],
      ] as const) {
        assert.deepEqual(await submit(stage, { domain }), { outcome: 'not_for_sale', state });
      }
      assert.equal(await count(), before);
    });

    test('an offer that is stored gets the same outcome again after its domain was sold', async () => {
      const token = randomUUID();
      const { id } = await submit(stage, { token });
      await publish(stage, [{ name: 'lap.app', state: 'sold' }]);
      assert.deepEqual(await submit(stage, { token }), { outcome: 'repeated', id });
    });

    test('with keep_previous, names and hosts of both catalogues take offers', async () => {
      const former: Entry[] = [
        { name: 'lap.app' },
        { name: 'old.example' },
        { name: 'again.example', state: 'sold' },
      ];
      await publish(stage, former, { hosts: ['a.example', 'b.example'], build: 'one' });
      const next = [
        { name: 'lap.app', state: 'sold' },
        { name: 'new.example', state: 'for_sale' },
        { name: 'again.example', state: 'for_sale' },
      ] as const;
      await publish(stage, [...next], { hosts: ['b.example'], build: 'two', keepPrevious: true });
      const both = await read();
      assert.deepEqual(both.states, {
        'lap.app': 'for_sale',
        'old.example': 'for_sale',
        'new.example': 'for_sale',
        'again.example': 'for_sale',
      });
      assert.deepEqual([both.hosts, both.build], [['b.example', 'a.example'], 'one']);
      await publish(stage, [...next], { hosts: ['b.example'], build: 'two' });
      const after = await read();
      assert.deepEqual(after.states, {
        'lap.app': 'sold',
        'new.example': 'for_sale',
        'again.example': 'for_sale',
      });
      assert.deepEqual([after.hosts, after.build], [['b.example'], 'two']);
    });

    test('the settings of the catalogue are read, and stay those of the pages before with keep_previous', async () => {
      const entries = [{ name: 'lap.app' }];
      const settings = { owner: 'Ada', links: [{ text: 'Imprint', url: 'https://ada.example' }] };
      await publish(stage, entries, { settings });
      assert.deepEqual((await read()).settings, settings);
      await publish(stage, entries, { settings: { replyWithin: '3 days' }, keepPrevious: true });
      assert.deepEqual((await read()).settings, settings);
      await publish(stage, entries, { settings: { replyWithin: '3 days' } });
      assert.deepEqual((await read()).settings, { replyWithin: '3 days' });
      for (const replyWithin of ['soon', '0 days', '3 weeks']) {
        await assert.rejects(publish(stage, entries, { settings: { replyWithin } }), { code: '23514' });
      }
    });

    test('the language of the catalogue is that of the last publication', async () => {
      for (const language of ['de', 'en']) {
        await stage.as(FUNCTIONS, `select public.publish_listings('[]', '{}', false, $1)`, [language]);
        assert.equal((await read()).language, language);
      }
    });

    test('each part of a listing is replaced, also where it alone is another', async () => {
      const entry = { name: 'lap.app', price: '$10,000', value: '10000', currency: 'USD' };
      const stored = () =>
        stage.value(OWNER, `select to_jsonb(l) from private.listings l where name = 'lap.app'`);
      for (const change of [
        { value: '9000' },
        { currency: 'EUR' },
        { checkout: 'https://pay.example/own' },
        { minimum: { amount: '5', currency: 'EUR' } },
        { state: 'reserved' },
      ] as const) {
        await publish(stage, [entry]);
        const before = await stored();
        await publish(stage, [{ ...entry, ...change } as Entry]);
        assert.notDeepEqual(await stored(), before, JSON.stringify(change));
      }
    });

    test('a reader that knows the version gets nothing else', async () => {
      const version = await publish(stage, [{ name: 'lap.app' }]);
      assert.deepEqual(await read(version), { version });
      assert.equal((await read(version - 1)).version, version);
    });

    test('a reader that knows the version of another build gets everything', async () => {
      const version = await publish(stage, [{ name: 'lap.app' }], { build: 'one' });
      const readBuild = (build: string) =>
        stage.value(FUNCTIONS, 'select public.read_listings($1, $2)', [version, build]) as Promise<Row>;
      assert.deepEqual(await readBuild('one'), { version });
      assert.deepEqual((await readBuild('two')).states, { 'lap.app': 'for_sale' });
    });

    test('an older build is not published over a newer one, and a future time counts as now', async () => {
      const at = (builtAt: string, keepPrevious = false) =>
        stage.as(
          FUNCTIONS,
          `select public.publish_listings('[]', '{}', $1, 'en', $2::text, $2::text::timestamptz)`,
          [keepPrevious, builtAt],
        );
      const store = (time: string) =>
        stage.as(OWNER, `update private.published_catalogue set built_at = ${time}`);
      const [older, newer] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
      await at(newer, true);
      await at(older);
      await at(newer);
      await at(newer);
      for (const keepPrevious of [true, false])
        await assert.rejects(at(older, keepPrevious), { code: 'PT409' });
      assert.equal((await read()).build, newer);
      await at('2999-01-01T00:00:00Z');
      await assert.rejects(at(newer), { code: 'PT409' });
      await at(new Date(Date.now() + 1_000).toISOString());
      await assert.rejects(publish(stage, [{ name: 'lap.app' }]), { code: 'PT409' });
      // As if the database's clock had been ahead.
      await store(`'2999-01-01'`);
      await at(older);
      await store('null');
    });

    test('a wrong publication changes nothing', async () => {
      const before = await read();
      const wrong: [entries: string, hosts: string[] | null][] = [
        ['{}', []],
        ['[{"name": "a.example"}, {"name": "a.example"}]', []],
        ['[{"name": "a.example", "state": "gone"}]', []],
        ['[{"price": "$1"}]', []],
        ['[]', null],
      ];
      for (const [entries, hosts] of wrong) {
        await assert.rejects(
          stage.as(FUNCTIONS, 'select public.publish_listings($1, $2, false)', [entries, hosts]),
          entries,
        );
      }
      assert.deepEqual(await read(), before);
    });

    test('ten thousand names are replaced in one publication', async () => {
      const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `n${at}.example`, price: '$1' }));
      await publish(stage, many);
      await publish(stage, many.slice(1));
      const { states } = await read();
      assert.equal(Object.keys(states as Row).length, 9_999);
    });

    test('administrators read prices and states, and no minimum', async () => {
      await publish(stage, [
        { name: 'lap.app', price: '$10,000', minimum: { amount: '500', currency: 'USD' } },
        { name: 'host.example', state: 'sold' },
      ]);
      const rows = await stage.value(ADMINISTRATOR, 'select public.asking_prices($1)', [
        ['lap.app', 'host.example', 'other.example'],
      ]);
      assert.deepEqual(
        (rows as Row[]).toSorted((a, b) => String(a.name).localeCompare(String(b.name))),
        [
          { name: 'host.example', state: 'sold', price: null },
          { name: 'lap.app', state: 'for_sale', price: '$10,000' },
        ],
      );
      const many = [...Array<string>(1_000).fill('other.example'), 'lap.app'];
      assert.deepEqual(await stage.value(ADMINISTRATOR, 'select public.asking_prices($1)', [many]), []);
    });
  });
}
