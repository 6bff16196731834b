/** Finding and counting offers, and the plans that keep it quick, decided by the database alone. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { SCHEMA_VERSION } from '#contract/calls.ts';
import { ADMINISTRATOR, FUNCTIONS, OWNER, openStage, removeOffers, type Stage, submit } from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

interface Key {
  sort_key: string;
  id: string;
}

for (const choice of ENGINES) {
  describe(`finding offers on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    beforeEach(() => removeOffers(stage));
    after(() => stage.close());

    const admin = (statement: string, ...parameters: unknown[]) =>
      stage.value(ADMINISTRATOR, `select public.${statement}`, parameters);
    const find = async (filter: object, pageSize = 50, from?: Key) => {
      const page = [from?.sort_key ?? null, from?.id ?? null, pageSize];
      const found = await admin('find_offers($1, $2, $3, $4)', JSON.stringify(filter), ...page);
      return (found as { offers: Row[] }).offers;
    };
    const amounts = async (filter: object) => (await find(filter)).map(({ offer_amount }) => offer_amount);
    const pages = async (pageSize: number, filter?: object) =>
      (filter
        ? await admin('offer_pages($1, $2)', pageSize, JSON.stringify(filter))
        : await admin('offer_pages($1)', pageSize)) as Row[];
    let stored = 0;
    /** Each offer is a second newer than the one before: two of one moment would have no order. */
    const store = (domain: string, amount: string, name: string, email: string, more = '') => {
      stored += 1;
      return stage.as(
        OWNER,
        `insert into public.offers
           (created_at, domain_name, offer_amount, customer_name, customer_email${more && `, ${more.split('=')[0]}`})
         values (timestamptz '2026-01-01' + $5 * interval '1 second',
           $1, $2, $3, $4${more && `, ${more.split('=')[1]}`}) returning id`,
        [domain, amount, name, email, stored],
      );
    };
    const move = (
      offer: Row | undefined,
      number: number,
      kind: string,
      amount: string | null,
      note: string | null = null,
      side = 'owner',
    ) =>
      stage.as(
        OWNER,
        'insert into private.offer_moves (offer_id, number, side, kind, amount, note) values ($1, $2, $6, $3, $4, $5)',
        [offer?.id, number, kind, amount, note, side],
      );
    const write = (offer: Row | undefined, message: string) =>
      stage.as(OWNER, 'insert into private.offer_messages (offer_id, message) values ($1, $2)', [
        offer?.id,
        message,
      ]);
    /**
     * Stores so many offers, one of them of Rare Customer and one with a rare word, each fifth with a message and each tenth with
     * a move, each twentieth withdrawn with a note, each accepted one with a deal, and takes the samples that are taken regularly.
     */
    const fill = async (count: number) => {
      // Building it from all rows at the end is three times faster.
      const definition = await stage.value(
        OWNER,
        `select pg_get_indexdef('public.offers_by_text'::regclass)`,
      );
      await stage.maintain('drop index public.offers_by_text');
      await stage.as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, status, held)
         select 'domain' || n % 200 || '.example', '$' || n, case n when 42 then 'Rare Customer' else 'Ada ' || n end,
           'customer' || n || '@example.com', now() - n * interval '1 minute',
           (array['pending', 'accepted', 'rejected', 'negotiating'])[1 + n % 4], n % 50 = 0
         from generate_series(1, $1::integer) as n`,
        [count],
      );
      await stage.maintain(String(definition));
      await stage.as(
        OWNER,
        `insert into private.offer_messages (offer_id, message)
         select id, case when offer_amount = '$45' then 'A palindrome for you' else 'Is it still for sale? ' || offer_amount end
         from public.offers where substring(offer_amount from 2)::integer % 5 = 0`,
      );
      await stage.as(
        OWNER,
        `insert into private.offer_moves (offer_id, number, side, kind, amount, valid_until)
         select id, 2, 'owner', 'counter', 'EUR ' || substring(offer_amount from 2), now()
         from public.offers where substring(offer_amount from 2)::integer % 10 = 0`,
      );
      await stage.as(
        OWNER,
        `insert into private.offer_moves (offer_id, number, side, kind, note)
         select id, 3, 'buyer', 'withdraw', 'We found another for ' || offer_amount
         from public.offers where substring(offer_amount from 2)::integer % 20 = 10`,
      );
      // The sample is of all rows: of a random one the planner takes the rare customer for a frequent one, once in a thousand.
      await stage.maintain('alter index public.offers_by_text alter column 1 set statistics 1000');
      await stage.as(
        OWNER,
        `insert into private.deals (reference, offer_id)
         select 'D' || left(hex, 1) || '-' || right(hex, 4), id from (
           select id, upper(lpad(to_hex(substring(offer_amount from 2)::integer), 5, '0')) as hex
           from public.offers where status = 'accepted'
         ) as o`,
      );
      for (const table of ['public.offers', 'private.offer_messages', 'private.offer_moves', 'private.deals'])
        await stage.maintain(`vacuum (analyze) ${table}`);
    };

    test('a term is found in every text of an offer, in any letter case and language', async () => {
      await store('lap.app', '1,000 €', 'Ada Müller', 'ada@example.com');
      await store('cup.example', '100% of $5_000', 'Grace \\ Hopper', 'GRACE@example.org');
      await store('日本語ドメイン.example', 'make me smile', "O'Brien", 'o@brien.example');
      for (const term of ['LAP.app', '1,000', 'MÜLLER', 'ada@', '  müller  ', '000 €', 'a mü']) {
        assert.deepEqual(await amounts({ term }), ['1,000 €'], term);
      }
      for (const term of ['0% of', '$5_000', 'e \\ h', 'grace@EXAMPLE.ORG', 'cup']) {
        assert.deepEqual(await amounts({ term }), ['100% of $5_000'], term);
      }
      for (const term of ['日本語', "o'b", 'ドメイン']) {
        assert.deepEqual(await amounts({ term }), ['make me smile'], term);
      }
      assert.deepEqual(await amounts({ term: 'example' }), ['make me smile', '100% of $5_000', '1,000 €']);
      for (const term of ['%%%', '___', '\\\\\\', "' or true --", '$1%', 'no such text', '$sql$', '%s%L']) {
        assert.deepEqual(await amounts({ term }), [], term);
      }
    });

    test('a term of fewer than three characters is rejected with a sentence', async () => {
      for (const term of ['', 'ab', ' ab ', '日本']) {
        const rejection = { code: '22023', message: 'Type at least three characters to search for.' };
        await assert.rejects(find({ term }), rejection);
        await assert.rejects(pages(10, { term }), rejection);
      }
    });

    test('a term is found in messages and in the amount that was named last, and each offer once', async () => {
      const [ada] = await store('lap.app', '$3,900', 'Ada', 'ada@example.com');
      const [grace] = await store('lap.app', '$5,000', 'Grace', 'grace@example.com');
      const [held] = await store('lap.app', '$6,000', 'Held', 'held@example.com', 'held=true');
      await write(ada, 'A small\nBakery, for Ada and 100%');
      await write(held, 'A bakery, too');
      await move(ada, 2, 'counter', '$4,300');
      await move(ada, 3, 'offer', '$4,100');
      await move(ada, 4, 'accept', '$4,100');
      await move(ada, 5, 'take_back', null);
      await move(grace, 2, 'counter', '4.999 €');
      assert.deepEqual(await amounts({ term: 'BAKERY' }), ['$3,900']);
      assert.deepEqual(await amounts({ term: 'bakery', only: 'held' }), ['$6,000']);
      assert.deepEqual(await amounts({ term: 'for ada' }), ['$3,900']);
      assert.deepEqual(await amounts({ term: '00%' }), ['$3,900']);
      assert.deepEqual(await amounts({ term: 'ada' }), ['$3,900'], 'in two texts');
      assert.deepEqual(await amounts({ term: '4,100' }), ['$3,900']);
      assert.deepEqual(await amounts({ term: '4,300' }), [], 'another was named after it');
      assert.deepEqual(await amounts({ term: '999 €', status: 'pending' }), ['$5,000']);
      assert.deepEqual(await amounts({ term: '999 €', status: 'rejected' }), []);
      assert.deepEqual(await amounts({ term: '000', sort: 'urgent' }), ['$5,000']);
      for (const term of ['bakery', 'ada', '4,100']) {
        const [page, ...more] = await pages(10, { term });
        assert.deepEqual([page?.total, page?.first_id, more.length], [1, ada?.id, 0], term);
      }
    });

    test('a term is found in the note of a move of either side, and each offer once', async () => {
      const [ada] = await store('lap.app', '$3,900', 'Ada', 'ada@example.com');
      const [grace] = await store('lap.app', '$5,000', 'Grace', 'grace@example.com');
      await move(ada, 2, 'counter', '$4,300', 'Escrow is fine.');
      await move(ada, 3, 'offer', '$4,100', 'Our budget\nfor escrow and 100%', 'buyer');
      await move(grace, 2, 'withdraw', null, 'We found <b>another</b>.', 'buyer');
      for (const term of ['ESCROW', 'budget', '00%'])
        assert.deepEqual(await amounts({ term }), ['$3,900'], term);
      assert.deepEqual(await amounts({ term: 'found <b>', only: 'overdue' }), ['$5,000']);
      const [page, ...more] = await pages(10, { term: 'escrow' });
      assert.deepEqual([page?.total, more.length], [1, 0]);
    });

    test('offers that the buyer withdrew are a filter and a count of their own while they are rejected', async () => {
      const [one] = await store('lap.app', '$1', 'Ada', 'ada@example.com', "status='rejected'");
      await store('lap.app', '$2', 'Grace', 'grace@example.com', "status='rejected'");
      const [open] = await store('lap.app', '$3', 'Open', 'open@example.com');
      const [low] = await store('lap.app', '$4', 'Low', 'low@example.com', "low, status=true, 'rejected'");
      for (const offer of [one, open, low]) await move(offer, 2, 'withdraw', null, null, 'buyer');
      // Of another offer.
      const [other] = await store('lap.app', '$5', 'Other', 'other@example.com');
      for (const [number, kind] of [
        [2, 'counter'],
        [3, 'offer'],
      ] as const)
        await move(other, number, kind, '$6');
      assert.deepEqual(await amounts({ only: 'withdrawn' }), ['$1']);
      assert.deepEqual(await amounts({ only: 'withdrawn', term: 'ada' }), ['$1']);
      assert.deepEqual(await amounts({ only: 'withdrawn', status: 'pending' }), []);
      const counts = (await admin('offer_counts()')) as { withdrawn: number; status: Row };
      assert.deepEqual([counts.withdrawn, counts.status.rejected], [1, 2]);
      await move(one, 3, 'offer', '$2', null, 'buyer');
      assert.deepEqual(await amounts({ only: 'withdrawn' }), [], 'after a later move');
      assert.equal(((await admin('offer_counts()')) as { withdrawn: number }).withdrawn, 0);
    });

    test('offers that wait for the owner are counted: pending ones, and those in which the last move is the buyer’s or has ended', async () => {
      const offerIn = async (status: string, more = '') => {
        const values = more ? `${more}, status=true, '${status}'` : `status='${status}'`;
        return (await store('lap.app', '$1', 'Ada', 'ada@example.com', values))[0];
      };
      const waiting = async () => ((await admin('offer_counts()')) as { waiting: number }).waiting;
      for (const status of ['accepted', 'rejected', 'negotiating']) await offerIn(status);
      for (const more of ['held', 'low']) await offerIn('pending', more);
      assert.equal(await waiting(), 0);
      await offerIn('pending');
      assert.equal(await waiting(), 1);
      const counter = async (days: number) => {
        const offer = await offerIn('negotiating');
        await stage.as(
          OWNER,
          `insert into private.offer_moves (offer_id, number, side, kind, amount, valid_until)
           values ($1, 2, 'owner', 'counter', '$2', now() + $2 * interval '1 day')`,
          [offer?.id, days],
        );
        return offer;
      };
      await counter(1);
      assert.equal(await waiting(), 1);
      await move(await counter(1), 3, 'offer', '$3', null, 'buyer');
      for (const [status, more] of [['accepted'], ['negotiating', 'held'], ['negotiating', 'low']] as const)
        await move(await offerIn(status, more), 2, 'offer', '$3', null, 'buyer');
      assert.equal(await waiting(), 2);
      await counter(-1);
      assert.equal(await waiting(), 3);
      await move(await offerIn('negotiating'), 2, 'take_back', null);
      assert.equal(await waiting(), 4);
    });

    test('an unknown key of a filter, or an unknown list, is rejected', async () => {
      for (const filter of [{ held: true }, { term: 'ada', customer: 'Ada' }, { only: 'held and low' }]) {
        const rejection = {
          code: '22023',
          message: /^The filter has an unknown (key: held|key: customer|only)/,
        };
        await assert.rejects(find(filter), rejection);
        await assert.rejects(pages(10, filter), rejection);
      }
    });

    test('the schema has the number that the dashboard expects', async () => {
      assert.equal(await admin('schema_version()'), SCHEMA_VERSION);
    });

    test('offers with a message are a filter and a count of their own', async () => {
      const [ada] = await store('lap.app', '$1', 'Ada', 'ada@example.com');
      await store('lap.app', '$2', 'Grace', 'grace@example.com');
      const [held] = await store('lap.app', '$3', 'Held', 'held@example.com', 'held=true');
      const [low] = await store('lap.app', '$4', 'Low', 'low@example.com', 'low=true');
      for (const offer of [ada, held, low]) await write(offer, 'Hello');
      assert.deepEqual(await amounts({ only: 'message' }), ['$1']);
      assert.deepEqual(await amounts({ only: 'message', term: 'hello' }), ['$1']);
      assert.deepEqual(await amounts({ only: 'message', status: 'rejected' }), []);
      const { messages } = (await admin('offer_counts()')) as { messages: number };
      assert.deepEqual([messages, (await pages(10, { only: 'message' }))[0]?.total], [1, 1]);
    });

    /** The moves after an offer of $3,900, and what the list and the export say: the last move, the current amount, the agreed one. */
    const STANDINGS: [moves: [kind: string, amount?: string][], amount: string, agreed?: string][] = [
      [[], '$3,900'],
      [[['decline']], '$3,900'],
      [[['counter', '$4,300']], '$4,300'],
      [
        [
          ['counter', '$4,300'],
          ['counter', '$4,200'],
        ],
        '$4,200',
      ],
      [[['counter', '$4,300'], ['withdraw']], '$4,300'],
      [[['counter', '$4,300'], ['decline']], '$4,300'],
      [[['counter', '$4,300'], ['close']], '$4,300'],
      [
        [
          ['counter', '$4,300'],
          ['offer', '$4,100'],
        ],
        '$4,100',
      ],
      [
        [
          ['counter', '$4,300'],
          ['accept', '$4,300'],
        ],
        '$4,300',
        '$4,300',
      ],
      [
        [
          ['counter', '$4,300'],
          ['offer', '$4,100'],
          ['accept', '$4,100'],
        ],
        '$4,100',
        '$4,100',
      ],
      [[['accept', '$3,900']], '$3,900', '$3,900'],
      [[['accept', '$3,900'], ['take_back']], '$3,900'],
      [[['counter', '$4,300'], ['accept', '$4,300'], ['take_back']], '$4,300'],
      [[['accept', '$3,900'], ['take_back'], ['counter', '$4,000']], '$4,000'],
      [[['accept', '$3,900'], ['take_back'], ['accept', '$3,900']], '$3,900', '$3,900'],
    ];
    test('the standing of an offer is its last move and the amount that was named last, agreed after an acceptance alone', async () => {
      const ids: string[] = [];
      for (const [moves] of STANDINGS) {
        const [offer] = await store('lap.app', '$3,900', 'Ada', 'ada@example.com');
        ids.push(String(offer?.id));
        for (const [index, [kind, amount = null]] of moves.entries())
          await move(offer, index + 2, kind, amount);
        if (moves.at(-1)?.[0] === 'accept')
          await stage.as(OWNER, `update public.offers set status = 'accepted' where id = $1`, [offer?.id]);
      }
      const standings = (await admin('standings($1)', ids)) as Record<string, Row>;
      const { offers } = (await stage.value(FUNCTIONS, 'select public.export_offers(100)')) as {
        offers: Row[];
      };
      const exported = new Map(offers.map((offer) => [offer.id, offer]));
      for (const [index, [moves, amount, agreed]] of STANDINGS.entries()) {
        const id = String(ids[index]);
        const what = moves.map(([kind]) => kind).join(', ') || 'no move';
        const { current_amount, agreed_amount } = exported.get(id) as Row;
        assert.deepEqual([current_amount, agreed_amount], [amount, agreed], what);
        const named = moves.findLast(([, named]) => named)?.[1];
        const last = moves.at(-1)?.[0];
        const { at, deal, ...standing } = standings[id] ?? {};
        assert.equal(deal !== undefined, agreed !== undefined, what);
        assert.deepEqual(standing, last ? { kind: last, ...(named && { amount: named }) } : {}, what);
        if (last) assert.match(String(at), /^\d{4}-/, what);
      }
    });

    test('the preview of a message leaves out a salutation, and nothing else', async () => {
      for (const [message, line] of [
        ['Hello Ada,\nwe are a small bakery.', 'we are a small bakery.'],
        ['  Hi!\n\n Is it free?\nYes', 'Is it free?'],
        ['Hello Ada, we are a small bakery.', 'we are a small bakery.'],
        ['Dear Mr. Smith, I offer', 'I offer'],
        ['Sehr geehrte Damen und Herren,\r\nich biete', 'ich biete'],
        ['GUTEN TAG Frau Müller\nich biete', 'ich biete'],
        ['Hello', 'Hello'],
        ['Hello Ada,', 'Hello Ada,'],
        ['Hello is the name available?\nThanks', 'Hello is the name available?'],
        ['Hello I would like to buy this\nThanks', 'Hello I would like to buy this'],
        ['Hidden costs, are there any?', 'Hidden costs, are there any?'],
        ['\n\nFor a bakery', 'For a bakery'],
        ['Hello I offer $5.000 for it', 'Hello I offer $5.000 for it'],
        ['Hi my limit: $4,500 or less', 'Hi my limit: $4,500 or less'],
        ['Hi take $4,500 or nothing', 'Hi take $4,500 or nothing'],
        ['Hi Ada, 4.500 € is my limit', '4.500 € is my limit'],
        ['Dear owner of lap.app, I offer', 'Dear owner of lap.app, I offer'],
        ['Hello I accept your price. Thanks', 'Hello I accept your price. Thanks'],
        ['Hi we take it\nThanks', 'Hi we take it'],
        ["Hi I'm interested, thanks", "Hi I'm interested, thanks"],
        ['x'.repeat(300), 'x'.repeat(200)],
      ] as const) {
        const [offer] = await store('lap.app', '$1', 'Ada', 'ada@example.com');
        await write(offer, message);
        const lines = (await admin('message_lines($1)', [offer?.id])) as Record<string, string>;
        assert.deepEqual(lines, { [String(offer?.id)]: line }, message);
      }
    });

    test('filters for status, domain and held apply together', async () => {
      await store('x.example', 'pending one', 'Filter', 'f@example.com');
      await store('x.example', 'accepted one', 'Filter', 'f@example.com', `status='accepted'`);
      await store('y.example', 'other domain', 'Filter', 'f@example.com', `status='accepted'`);
      await store('x.example', 'held one', 'Filter', 'f@example.com', 'held=true');
      const term = 'filter';
      assert.deepEqual(await amounts({ term }), ['other domain', 'accepted one', 'pending one']);
      assert.deepEqual(await amounts({ term, only: 'held' }), ['held one']);
      assert.deepEqual(await amounts({ domain: 'x.example' }), ['accepted one', 'pending one']);
      assert.deepEqual(await amounts({ term, status: 'accepted' }), ['other domain', 'accepted one']);
      assert.deepEqual(await amounts({ domain: 'x.example', status: 'accepted' }), ['accepted one']);
      for (const hostile of ["x' or true --", '%', 'X.EXAMPLE']) {
        assert.deepEqual(await amounts({ domain: hostile }), []);
        assert.deepEqual(await amounts({ status: hostile }), []);
      }
      const counts = (await admin('offer_counts()')) as { status: Row; held: number; domains: string[] };
      assert.deepEqual(counts.status, { pending: 1, accepted: 2, rejected: 0, negotiating: 0 });
      assert.equal(counts.held, 1);
      assert.deepEqual(counts.domains.toSorted(), ['x.example', 'y.example']);
    });

    test('overdue offers are pending ones whose promised time is over, and are counted', async () => {
      const of = (age: string) => `created_at=now() - interval '${age}'`;
      const at = async (name: string, age: string, more = 'held=false') => {
        const [offer] = await store('late.example', name, 'Late', 'l@example.com', more);
        await stage.as(OWNER, 'alter table public.offers disable trigger only_the_status_changes');
        await stage.as(OWNER, `update public.offers set ${of(age)} where id = $1`, [offer?.id]);
        await stage.as(OWNER, 'alter table public.offers enable trigger only_the_status_changes');
      };
      await at('fresh', '23 hours');
      await at('late', '25 hours');
      await at('later', '3 days');
      await at('answered', '3 days', `status='rejected'`);
      await at('held', '3 days', 'held=true');
      await at('low', '3 days', 'low=true');
      const domain = 'late.example';
      assert.deepEqual(await amounts({ domain, only: 'overdue' }), ['late', 'later']);
      assert.deepEqual(await amounts({ domain, only: 'overdue', sort: 'urgent' }), ['later', 'late']);
      assert.deepEqual(await amounts({ domain, sort: 'urgent' }), ['later', 'late', 'fresh', 'answered']);
      assert.deepEqual(await amounts({ domain, sort: 'date' }), ['fresh', 'late', 'answered', 'later']);
      const { overdue } = (await admin('offer_counts()')) as { overdue: number };
      const total = (await pages(10, { only: 'overdue' }))[0]?.total;
      assert.deepEqual([overdue, total], [2, 2]);
      assert.equal(
        await stage.value(FUNCTIONS, "select public.read_unanswered(24) -> 'count'"),
        await stage.value(
          OWNER,
          `select count(*)::integer from public.offers
           where status = 'pending' and not held and not low and created_at < now() - interval '24 hours'`,
        ),
      );
    });

    test('offers are sorted by amount within a currency, those without one last, and of equal ones the newest first', async () => {
      const domain = 'sort.example';
      for (const [name, currency, value] of [
        ['900 usd', 'USD', 900],
        ['none', '', null],
        ['-5 usd', 'USD', -5],
        ['0.50 usd', 'USD', 0.5],
        ['10k usd', 'USD', 10_000],
        ['70k eur', 'EUR', 70_000],
        ['unread', null, null],
        ['10000 usd', 'USD', 10_000],
        ['largest eur', 'EUR', 999_999_999_999_999],
      ] as const) {
        const [offer] = await store(domain, name, 'Sort', 's@example.com');
        await stage.as(OWNER, 'update public.offers set currency = $2, value = $3 where id = $1', [
          offer?.id,
          currency,
          value,
        ]);
      }
      const sorted = [
        '10000 usd',
        '10k usd',
        '900 usd',
        '0.50 usd',
        '-5 usd',
        'largest eur',
        '70k eur',
        'unread',
        'none',
      ];
      assert.deepEqual(await amounts({ domain, sort: 'amount' }), sorted);
      assert.deepEqual(await amounts({ domain, sort: 'amount', term: 'usd' }), sorted.slice(0, 5));
      const list = await pages(2, { domain, sort: 'amount' });
      const read = [];
      for (const { first_sort_key, first_id } of list) {
        const found = await find({ domain, sort: 'amount' }, 2, {
          sort_key: String(first_sort_key),
          id: String(first_id),
        });
        assert.equal(found[0]?.sort_key, first_sort_key);
        read.push(...found.map(({ offer_amount }) => offer_amount));
      }
      assert.deepEqual(read, sorted);
    });

    test('the pages of a filter and the offers found from their keys are the same list, each offer once', async () => {
      await stage.as(
        OWNER,
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', n::text, 'Same Time', 'same@example.com', '2020-01-01'::timestamptz + (n / 10) * interval '1 microsecond'
         from generate_series(1, 95) as n`,
      );
      await store('other.example', '$1', 'Other', 'o@example.com');
      for (const filter of [
        { term: 'same time' },
        { domain: 'lap.app' },
        {},
        { sort: 'urgent' },
        { sort: 'amount' },
      ]) {
        const list = await pages(10, filter);
        const read: Row[] = [];
        for (const { first_sort_key, first_id } of list) {
          read.push(...(await find(filter, 10, { sort_key: String(first_sort_key), id: String(first_id) })));
        }
        assert.equal(read.length, list[0]?.total);
        assert.equal(new Set(read.map(({ id }) => id)).size, read.length);
        assert.deepEqual(read.slice(0, 50), await find(filter, 50));
      }
      assert.deepEqual(await pages(10), await pages(10, {}));
      assert.equal((await pages(10, { term: 'same time' }))[0]?.total, 95);
    });

    test('low offers are a filter and a count of their own, and held ones among them are held', async () => {
      const term = 'l@low.example';
      const pending = async () => ((await admin('offer_counts()')) as { status: Row }).status.pending;
      const before = await pending();
      for (const [name, more] of [
        ['usual', 'held=false'],
        ['low', 'low=true'],
        ['both', 'held, low=true, true'],
      ] as const)
        await store('low.example', name, 'Low', term, more);
      assert.deepEqual(await amounts({ term }), ['usual']);
      assert.deepEqual(await amounts({ term, only: 'overdue' }), ['usual']);
      assert.deepEqual(await amounts({ term, only: 'low' }), ['low']);
      assert.equal(Number(await pending()) - Number(before), 1, 'counted by status: neither low nor held');
      assert.deepEqual(await amounts({ term, only: 'held' }), ['both']);
      const { low } = (await admin('offer_counts()')) as { low: number };
      assert.equal(low, 1);
      const { offers } = (await admin('new_offers($1)', '2020-01-01')) as { offers: Row[] };
      assert.deepEqual(
        offers.filter((offer) => offer.low),
        [],
      );
    });

    test('found offers are whole rows, at most a hundred', async () => {
      await store('cup.example', '$1', "O'Brien", 'o@brien.example');
      const [row] = await find({ term: 'rien.ex' });
      assert.deepEqual(Object.keys(row ?? {}).toSorted(), [
        ...['created_at', 'currency', 'customer_email', 'customer_name', 'domain_name', 'held', 'id', 'low'],
        ...['offer_amount', 'sort_key', 'status', 'value'],
      ]);
      await fill(300);
      assert.equal((await find({}, 1000)).length, 100);
      assert.equal((await find({}, 0)).length, 1);
    });

    test('new offers are those since a time and in the minute before it, without held ones', async () => {
      await fill(300);
      const { id } = await submit(stage);
      const since = await stage.value(OWNER, `select (now() - interval '90 seconds')::text`);
      const { offers, pending, held } = (await admin('new_offers($1)', since)) as {
        offers: Row[];
        pending: number;
        held: number;
      };
      assert.deepEqual(
        offers.map(({ customer_name }) => customer_name),
        ['Ada', 'Ada 1', 'Ada 2'],
      );
      assert.equal(offers[0]?.id, id);
      assert.deepEqual({ pending, held }, { pending: 73, held: 6 });
      const all = (await admin(`new_offers('2020-01-01')`)) as { offers: Row[] };
      assert.equal(all.offers.length, 100);
      assert.equal(all.offers[0]?.id, id, 'the newest ones');
    });

    test('asking for new offers does not extend the session', async () => {
      const refreshed = () =>
        stage.value(OWNER, 'select refreshed_at::text from private.admin_sessions where user_id = $1', [
          ADMINISTRATOR.userId,
        ]);
      const earlier = await refreshed();
      await admin('new_offers(now())');
      assert.equal(await refreshed(), earlier);
    });

    test('at 100,000 offers the first rows of every filter cost few blocks', async (t) => {
      /** The newest offers are read until 50 of them have such a message, each fifth, or were withdrawn, each fifth rejected one. */
      const OF_OTHER_TABLES: object[] = [
        { term: 'still for sale' },
        { only: 'message' },
        { only: 'withdrawn' },
      ];
      const filters: object[] = [
        { term: 'rare customer' },
        { term: 'customer42@' },
        { term: 'example.com' },
        { term: 'no such customer' },
        { status: 'pending' },
        { domain: 'domain42.example' },
        { domain: 'domain42.example', term: 'rare customer' },
        { status: 'rejected', term: 'customer' },
        { only: 'held' },
        { term: 'palindrome' },
        { term: 'eur 4250' },
        { term: 'd0-03e9' },
        { term: 'another for $4250' },
        { term: 'rare customer', status: 'rejected' },
        ...OF_OTHER_TABLES,
      ];
      /** Blocks that a call reads, of some 2,000 of the table: unlike its time, the same on a machine with other work. */
      const blocksOf = async (filter: object) => {
        const explained = await stage.value(
          ADMINISTRATOR,
          'explain (analyze, buffers, format json) select public.find_offers($1, null, null, 50)',
          [JSON.stringify(filter)],
        );
        const [{ Plan: plan }] = explained as [{ Plan: Record<string, number> }];
        return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      };
      await fill(100_000);
      for (const filter of filters) {
        const statement = await stage.value(OWNER, 'select private.find_statement($1, true)', [filter]);
        const plan = await stage.as(OWNER, `explain ${String(statement).replaceAll('$3', '50')}`);
        const text = plan.map((row) => row['QUERY PLAN']).join('\n');
        // The first call reads the catalogs too.
        await find(filter);
        const blocks = await blocksOf(filter);
        const figures = `${choice.name} ${JSON.stringify(filter)}: ${blocks} blocks`;
        t.diagnostic(figures);
        assert.doesNotMatch(text, /Seq Scan/, `${figures}\n${text}`);
        assert.ok(blocks < (OF_OTHER_TABLES.includes(filter) ? 1_000 : 450), `${figures}\n${text}`);
      }
      for (const call of ['offer_counts()', `offer_pages(100, '{"term": "example.com"}')`]) {
        const start = performance.now();
        await admin(call);
        t.diagnostic(`${choice.name} ${call}: ${(performance.now() - start).toFixed(2)} ms`);
      }
      // Each with a link, which opens it where there is a move or a deal.
      await stage.as(
        OWNER,
        `with listed as (
           insert into private.listings (name) select distinct domain_name from public.offers on conflict do nothing
         )
         insert into private.offer_links (token_hash, offer_id, number, created_at, nonce)
         select encode(sha256(id::text::bytea), 'hex'), id, 1, now() - interval '91 days', replace(id::text, '-', '')
         from public.offers`,
      );
      const start = performance.now();
      const hashes = (await stage.value(FUNCTIONS, 'select public.read_link_hashes()')) as string[];
      t.diagnostic(`${choice.name} read_link_hashes(): ${(performance.now() - start).toFixed(2)} ms`);
      assert.equal(hashes.length, 35_000);
      const plan = await stage.as(
        OWNER,
        `explain select count(*) from public.offers o where o.status = 'pending' and not o.held and not o.low`,
      );
      assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /Index Only Scan/);
    });
  });
}
