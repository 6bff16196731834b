/** Deals of accepted offers: what begins and ends them, their steps, where the buyer pays, and what is sent about it. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Deal } from '../functions/_shared/contract/negotiation.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  STRANGER,
  type Stage,
  submit,
  VISITOR,
} from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

const MAIL = 'mailto:owner@example.com';
const HOOK = 'https://hook.example';
const BANK = { closing: { en: '<p>IBAN</p>' }, payDays: 7 };
const LINKS = { checkoutHosts: ['pay.example'], payDays: 7 };

/** Pairs of calls at once for each kind of race. */
const PAIRS = Number(process.env.RACING_PAIRS ?? 8);

interface Called extends Row {
  outcome: string;
  payment?: Row;
  state: Row & { status: string; can: string[]; moves: Row[]; deal?: Deal; ended?: Deal[] };
}

for (const choice of ENGINES) {
  describe(`deals on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());
    beforeEach(() => configure({}));

    const sql = (statement: string, ...parameters: unknown[]) => stage.as(OWNER, statement, parameters);
    const value = (statement: string, ...parameters: unknown[]) => stage.value(OWNER, statement, parameters);
    const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

    /** Publishes settings of the catalogue. */
    async function configure(settings: object): Promise<void> {
      await sql('update private.published_catalogue set settings = $1', JSON.stringify(settings));
    }

    /** An offer of $4,100 for a name of its own, unless one is given, with a link. */
    async function open(
      domain = `${randomUUID()}.example`,
      price: object | null = { amount: '4100', currency: 'USD' },
    ) {
      await sql('insert into private.listings (name) values ($1) on conflict do nothing', domain);
      const { id } = await submit(stage, {
        domain,
        email: `Ada-${randomUUID()}@example.com`,
        amount: '$4,100',
        ...(price && { price: price as { amount: string } }),
      });
      const hash = createHash('sha256').update(randomUUID()).digest('hex');
      const call = async (move?: object, change?: object, link?: object, mail = false) =>
        (await stage.value(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2, $3, $4, deal => $5)', [
          id,
          json(move),
          json(link),
          mail,
          json(change),
        ])) as Called;
      await call(undefined, undefined, { number: 1, hash, nonce: 'a'.repeat(32) });
      const buyer = async (move?: object) =>
        (await stage.value(FUNCTIONS, `select public.negotiate_as_buyer($1, '[]', $2)`, [
          hash,
          json(move),
        ])) as Called;
      /** Changes the deal as an administrator who saw its newest state, or the given one. */
      const change = async (field: string, to: unknown, seen?: Partial<Deal>) => {
        const { deal } = (await call()).state;
        return await call(undefined, { reference: deal?.reference, seen: deal?.seen, ...seen, field, to });
      };
      const set = (status: string) =>
        stage.as(ADMINISTRATOR, 'update public.offers set status = $2 where id = $1', [id, status]);
      const list = (state: string) =>
        sql('update private.listings set state = $2 where name = $1', domain, state);
      const deal = async () => (await call()).state.deal;
      return { id, domain, call, buyer, change, set, list, deal };
    }

    /** An offer that the owner accepted. */
    async function agree(...args: Parameters<typeof open>) {
      const offer = await open(...args);
      assert.equal((await offer.call({ kind: 'accept', seen: 1 })).outcome, 'made');
      return offer;
    }

    /** Moves the agreement and "Pay by" into the past. */
    const age = (id: unknown, days: number) =>
      sql(
        `update private.deals set agreed_at = agreed_at - make_interval(days => $2), pay_by = pay_by - $2
         where offer_id = $1 and ended_at is null`,
        id,
        days,
      );
    const queue = (reminderLimits?: object[]) =>
      stage.as(FUNCTIONS, 'select public.queue_overdue($1, $2)', [[MAIL, HOOK], json(reminderLimits)]);
    const queued = async (id: unknown) =>
      (
        await sql(
          'select kind, target, move_number from private.messages where offer_id = $1 order by kind, target, move_number',
          id,
        )
      ).map(({ kind, target, move_number }) => [kind, target, move_number]);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

    test('an acceptance of either side begins a deal, and a take-back ends it with its reference', async () => {
      const { call, buyer, deal } = await open('lap-top.example');
      await call({ kind: 'counter', seen: 1, amount: '$4,200' });
      const { deal: first } = (await buyer({ kind: 'accept', seen: 2 })).state;
      assert.match(first?.reference ?? '', /^LAPT-[ACDEFGHJKMNPQRTUVWXY34679]{4}$/);
      assert.deepEqual([first?.seen, first?.changes, first?.pay_by], [undefined, undefined, undefined]);
      assert.equal((await deal())?.reference, first?.reference);

      const over = (await call({ kind: 'take_back', seen: 3 })).state;
      assert.deepEqual([over.status, over.deal], ['open', undefined]);
      assert.deepEqual(
        over.ended?.map(({ reference, ended_as }) => [reference, ended_as]),
        [[first?.reference, 'negotiating']],
      );
      assert.equal((await buyer()).state.deal, undefined);
      await buyer({ kind: 'offer', seen: 4, amount: '$4,000' });
      const again = (await call({ kind: 'accept', seen: 5 })).state;
      assert.notEqual(again.deal?.reference, first?.reference);
      assert.equal(again.ended?.length, 1);
    });

    test('references have letters of the name, also of short and of encoded ones', async () => {
      for (const [name, letters] of [
        ['a.example', 'A'],
        ['4-7.example', '47'],
        ['xn--bcher-kva.example', 'BCHE'],
      ] as const) {
        const reference = String(await value('select private.new_reference($1)', name));
        assert.equal(reference.split('-')[0], letters);
      }
      // As if half of them were given.
      await stage.maintain(`begin;
        create or replace function private.is_reference_given(reference text) returns boolean language sql
          as $given$ select reference < 'A-M' $given$;
        do $$ begin
          if exists (select from generate_series(1, 50) where private.new_reference('a.example') < 'A-M') then
            raise exception 'A reference is given again.';
          end if;
        end $$;
        rollback`);
    });

    test('a status set by hand begins and ends deals, without a mail', async () => {
      const { id, call, buyer, set, deal } = await open();
      await set('accepted');
      const { state } = await buyer();
      assert.deepEqual([state.status, state.can, Boolean(state.deal)], ['accepted', [], true]);
      assert.deepEqual((await call()).state.can, ['take_back']);
      await set('pending');
      assert.equal(await deal(), undefined);
      assert.deepEqual((await buyer()).state.can, ['offer', 'withdraw']);
      await set('accepted');
      assert.equal((await call({ kind: 'take_back', seen: 1 })).state.status, 'open');
      assert.deepEqual(
        (await call()).state.ended?.map(({ ended_as }) => ended_as),
        ['pending', 'negotiating'],
      );
      assert.deepEqual(await queued(id), []);
    });

    test('a deal that fell through rejects the offer with a note, for both sides', async () => {
      const { id, call, buyer, deal } = await agree();
      await call({ kind: 'take_back', seen: 2 });
      await call({ kind: 'accept', seen: 3 });
      const move = { kind: 'take_back', seen: 4, as: 'rejected', note: 'No payment arrived.' };
      const { state } = await call(move, undefined, undefined, true);
      assert.deepEqual([state.status, state.can], ['declined', []]);
      assert.equal(await value('select status from public.offers where id = $1', id), 'rejected');
      const last = (await buyer()).state.moves.at(-1);
      assert.deepEqual([last?.kind, last?.as, last?.note], ['take_back', 'rejected', move.note]);
      assert.deepEqual(
        state.moves.map(({ as }) => as),
        [undefined, undefined, undefined, undefined, 'rejected'],
        'that alone',
      );
      assert.equal(await deal(), undefined);
      assert.equal((await call(move)).outcome, 'repeated');
      assert.equal((await call({ ...move, as: 'open' })).outcome, 'moved');
    });

    test('steps are ticked one after the other and unticked from the last, each once', async () => {
      const { change, deal } = await agree();
      for (const step of ['transferred', 'sold'])
        assert.equal((await change(step, true)).outcome, 'not_possible');
      const seen = await deal();
      assert.equal((await change('paid', true)).outcome, 'made');
      assert.equal((await change('paid', true)).outcome, 'repeated', 'ticked twice');
      assert.equal(
        (await change('paid', true, { seen: seen?.seen as number })).outcome,
        'repeated',
        'the response was lost',
      );
      assert.equal((await change('paid', false, { seen: seen?.seen as number })).outcome, 'moved');
      assert.equal((await change('transferred', true, { reference: 'LAP-7F3K' })).outcome, 'moved');
      await change('transferred', true);
      assert.equal((await change('paid', false)).outcome, 'not_possible');
      await change('sold', true);
      assert.equal((await change('transferred', false)).outcome, 'not_possible');
      await change('sold', false);
      const { paid_at, transferred_at, sold_at, changes } = (await deal()) ?? {};
      assert.deepEqual([Boolean(paid_at), Boolean(transferred_at), sold_at], [true, true, undefined]);
      assert.deepEqual(
        changes?.map(({ number, field, to, by }) => [number, field, to, by]),
        [
          [1, 'paid', true, 'owner@example.com'],
          [2, 'transferred', true, 'owner@example.com'],
          [3, 'sold', true, 'owner@example.com'],
          [4, 'sold', false, 'owner@example.com'],
        ],
      );
    });

    test('what was ticked meanwhile is not taken back, nor changed once it is', async () => {
      const { call, change, deal } = await agree();
      const seen = await deal();
      await change('paid', true);
      const move = { kind: 'take_back', seen: 2 };
      for (const stale of [move, { ...move, deal_seen: 0 }])
        assert.equal((await call(stale)).outcome, 'moved');
      assert.equal((await call({ ...move, deal_seen: 1 })).outcome, 'made');
      assert.equal((await change('paid', false, seen)).outcome, 'moved');
      assert.ok((await call()).state.ended?.[0]?.paid_at, 'an ended deal keeps its dates');
      await stage.rejects(OWNER, 'update private.deals set paid_at = null where reference = $1', [
        seen?.reference,
      ]);
    });

    test('a change sent again after another one is not the one before it', async () => {
      const { change, deal } = await agree();
      const seen = await deal();
      await change('link', null);
      assert.equal((await change('paid', true)).outcome, 'made');
      assert.equal((await change('paid', true, seen)).outcome, 'repeated');
      assert.equal((await change('transferred', true, seen)).outcome, 'moved', 'another step');
      assert.equal((await change('transferred', true)).outcome, 'made');
      assert.equal((await change('transferred', true, seen)).outcome, 'moved');
      for (const seen of [9, undefined as never])
        assert.equal((await change('transferred', false, { seen })).outcome, 'moved', 'never seen');
    });

    test('"Pay by" is there where the setting is and the buyer sees how to pay', async () => {
      for (const [settings, pay_by, way] of [
        [{}, undefined, undefined],
        [{ payDays: 7 }, undefined, undefined],
        [{ closing: BANK.closing }, undefined, 'closing'],
        [BANK, inDays(7), 'closing'],
        [{ checkout: 'https://pay.example/{amount}', payDays: 1 }, inDays(1), 'template'],
        [LINKS, undefined, undefined],
      ] as const) {
        await configure(settings);
        const { buyer, deal } = await agree();
        assert.deepEqual(
          [(await deal())?.pay_by, (await buyer()).payment?.way],
          [pay_by, way],
          JSON.stringify(settings),
        );
      }
      await configure(BANK);
      const { change, deal } = await agree();
      for (const [to, outcome] of [
        [inDays(30), 'made'],
        [inDays(30), 'repeated'],
        [inDays(366), 'made'],
        [inDays(367), 'not_possible'],
        // West of UTC it is today.
        [inDays(-1), 'made'],
        [inDays(-2), 'not_possible'],
        [null, 'made'],
      ] as const)
        assert.equal((await change('pay_by', to)).outcome, outcome, String(to));
      assert.equal((await deal())?.pay_by, undefined);
      await configure({ closing: BANK.closing });
      assert.equal((await change('pay_by', inDays(3))).outcome, 'not_possible', 'without the setting');
    });

    test('a button needs an amount that is certain, and a name has its own template', async () => {
      await configure({ ...BANK, checkout: 'https://pay.example/all' });
      const { domain, buyer } = await agree(undefined, null);
      assert.equal((await buyer()).payment?.way, 'closing');
      const clear = await agree();
      await sql(
        'update private.listings set checkout = $2 where name = $1',
        clear.domain,
        'https://pay.example/own',
      );
      const { payment } = await clear.buyer();
      assert.deepEqual([payment?.way, payment?.template], ['template', 'https://pay.example/own']);
      for (const [amount, way] of [
        ['0', 'closing'],
        ['-5', 'closing'],
        ['12345678.90', 'closing'],
        ['1000000000', 'closing'],
        ['0.01', 'template'],
        ['9999999.99', 'template'],
        ['999999999', 'template'],
      ] as const) {
        const { buyer } = await agree(undefined, { amount, currency: 'USD' });
        assert.equal((await buyer()).payment?.way, way, amount);
      }
      // Of what was agreed, whatever was offered before.
      for (const [offered, countered, way] of [
        [{ amount: '4100', currency: 'USD' }, undefined, 'closing'],
        [null, { amount: '4200', currency: 'USD' }, 'template'],
      ] as const) {
        const { call, buyer } = await open(undefined, offered);
        await call({ kind: 'counter', seen: 1, amount: 'as said', price: countered });
        assert.equal((await buyer({ kind: 'accept', seen: 2 })).payment?.way, way);
      }
      assert.ok(domain);
    });

    test('the buyer of an offer that is not accepted learns nothing of where to pay', async () => {
      await configure({ ...BANK, ...LINKS, checkout: 'https://pay.example' });
      const { call, buyer } = await open();
      assert.equal((await buyer()).payment, undefined);
      assert.equal((await call()).payment?.way, 'template');
      await call({ kind: 'accept', seen: 1 });
      assert.ok((await buyer()).payment);
      await call({ kind: 'take_back', seen: 2 });
      assert.equal((await buyer()).payment, undefined);
    });

    test('a link of a deal leads to a listed host alone, whoever calls', async () => {
      await configure(LINKS);
      const { change, deal, buyer } = await agree();
      for (const link of [
        'javascript:alert(1)',
        'http://pay.example/x',
        'https://elsewhere.example/x',
        'https://pay.example.elsewhere.example/x',
        'https://pay.example@elsewhere.example/x',
        'https://user:word@pay.example/x',
        'https://pay.example:8443/x',
        'https://pay.example\\@elsewhere.example/x',
        'https://pay.example?x',
        'https://PAY.example/x',
        'https://{amount}.example/x',
        ' https://pay.example/x',
        '',
      ])
        assert.equal((await change('link', link)).outcome, 'not_possible', link);
      for (const link of [
        `https://pay.example/${'x'.repeat(2_000)}`,
        'https://pay.example/\u202egnp',
        'https://pay.example/"<',
      ])
        await assert.rejects(
          change('link', link),
          (error: { code?: string }) => error.code === '23514',
          link,
        );
      assert.deepEqual([(await deal())?.changes, (await buyer()).payment?.way], [[], undefined]);

      assert.equal((await change('link', 'https://pay.example/one?x={y}#z')).outcome, 'made');
      const { payment, state } = await buyer();
      assert.deepEqual(
        [payment?.way, payment?.link, state.deal?.pay_by],
        ['link', 'https://pay.example/one?x={y}#z', inDays(7)],
      );
      await configure({ checkoutHosts: ['other.example'] });
      const unlisted = await buyer();
      assert.deepEqual(
        [unlisted.payment?.link, unlisted.payment?.way, unlisted.state.deal?.pay_by],
        [undefined, undefined, undefined],
        'the host is not listed any more',
      );
      await configure({});
      assert.equal(
        (await change('link', 'https://pay.example/two')).outcome,
        'not_possible',
        'without the setting',
      );
      assert.equal((await change('link', null)).outcome, 'made');
      assert.equal((await change('link', null, { reference: undefined as never })).outcome, 'moved');
    });

    test('the owner chooses where to pay; a link is chosen at once, and without it the others are', async () => {
      await configure({ ...BANK, ...LINKS, checkout: 'https://pay.example' });
      const { change, buyer } = await agree();
      const way = async () => (await buyer()).payment?.way;
      assert.equal(await way(), 'template');
      assert.equal((await change('way', 'link')).outcome, 'not_possible');
      await change('way', 'closing');
      assert.equal(await way(), 'closing');
      await change('link', 'https://pay.example/one');
      assert.equal(await way(), 'link');
      await change('way', 'template');
      assert.equal(await way(), 'template');
      await change('way', null);
      assert.equal(await way(), 'link');
      await change('link', null);
      assert.equal(await way(), 'template');
      await change('link', 'https://pay.example/two');
      await change('way', 'closing');
      await change('link', null);
      assert.equal(await way(), 'closing', 'another way that was chosen stays');
    });

    test('a link moves no date, and brings none back that the owner removed', async () => {
      await configure(LINKS);
      const { id, change, deal } = await agree();
      await change('link', 'https://pay.example/one');
      assert.equal((await deal())?.pay_by, inDays(7));
      await age(id, 3);
      await change('link', 'https://pay.example/two');
      assert.equal((await deal())?.pay_by, inDays(4));
      await change('pay_by', null);
      await change('link', 'https://pay.example/three');
      assert.equal((await deal())?.pay_by, undefined);
    });

    test('a deal takes 200 changes', async () => {
      const { id, change } = await agree();
      await sql(
        `update private.deals set changes = (
           select jsonb_agg(jsonb_build_object('number', n, 'field', 'way', 'to', null, 'at', now()))
           from generate_series(1, 199) as n
         ) where offer_id = $1`,
        id,
      );
      assert.equal((await change('paid', true)).outcome, 'made');
      assert.equal((await change('paid', false)).outcome, 'too_many');
    });

    test('a second deal of an offer has reminders and messages about its links of its own', async () => {
      await configure({ ...BANK, ...LINKS });
      const { id, call, change } = await agree();
      for (const seen of [2, 4]) {
        await change('link', 'https://pay.example/one');
        await age(id, 5);
        await queue([limitOf(9)]);
        const { deal } = (await call()).state;
        assert.equal((await call({ kind: 'take_back', seen, deal_seen: deal?.seen })).outcome, 'made');
        assert.equal((await call({ kind: 'accept', seen: seen + 1 })).outcome, 'made');
      }
      const kinds = (await queued(id)).map(([kind]) => kind);
      assert.equal(kinds.filter((kind) => kind === 'reminder').length, 2);
      assert.equal(kinds.filter((kind) => kind === 'pay_link').length, 4, 'each to both targets');
    });

    test('a link that is changed after messages were paused is reported, also in a deal from before', async () => {
      await configure({ ...BANK, ...LINKS });
      const { id, change } = await agree();
      await change('link', 'https://pay.example/one');
      await sql('update private.message_state set paused_before = clock_timestamp()');
      await change('link', 'https://pay.example/two');
      await queue();
      await sql('update private.message_state set paused_before = null');
      assert.deepEqual(await queued(id), [
        ['pay_link', HOOK, 2],
        ['pay_link', MAIL, 2],
      ]);
    });

    test('a mail about a deal has the amount that was named last', async () => {
      const { id, call, buyer } = await open();
      await call({ kind: 'counter', seen: 1, amount: '$4,200' });
      await buyer({ kind: 'offer', seen: 2, amount: '$4,150' });
      await call({ kind: 'accept', seen: 3 }, undefined, undefined, true);
      const delivery = (await value(
        `select private.describe_delivery(array_agg(id)) from private.messages where offer_id = $1 and kind = 'reply'`,
        id,
      )) as { offers: { deal: Row }[] };
      assert.equal(delivery.offers[0]?.deal.amount, '$4,150');
    });

    /** The deal in the messages of a kind to the buyer, or to the owner by mail, oldest first. */
    const deliveredDeals = async (id: unknown, kind: string) =>
      (
        await sql(
          `select private.describe_delivery(array[m.id]) #> '{offers,0,deal}' as deal
           from private.messages m where m.offer_id = $1 and m.kind = $2 and m.target <> $3 order by m.id`,
          ...[id, kind, HOOK],
        )
      ).map(({ deal }) => deal as Row | null);

    test('a message about a deal names no other buyer', async () => {
      await configure({ ...BANK, ...LINKS });
      const first = await agree();
      const second = await open(first.domain);
      await second.set('accepted');
      const { payment } = await second.change('link', 'https://pay.example/one');
      await queue();
      const [deal] = await deliveredDeals(second.id, 'pay_link');
      assert.deepEqual(
        [payment?.taken_by, deal?.link, deal?.taken_by, deal?.email],
        ['Ada', 'https://pay.example/one', undefined, undefined],
      );
    });

    test('a mail about an acceptance that was taken back has no deal, nor that of a later one', async () => {
      await configure(BANK);
      const { id, call } = await open();
      const made = [];
      for (const [seen, kind] of ['accept', 'take_back', 'accept'].entries())
        made.push((await call({ kind, seen: seen + 1, deal_seen: 0 }, undefined, undefined, true)).outcome);
      assert.deepEqual(made, ['made', 'made', 'made']);
      const deals = await deliveredDeals(id, 'reply');
      assert.deepEqual(
        deals.map((deal) => deal !== null),
        [false, false, true],
      );
    });

    test('what was agreed before a restore has no reminder and no alarm', async () => {
      await configure({ ...BANK, ...LINKS });
      const [due, late, past] = [await agree(), await agree(), await agree()];
      await due.change('link', 'https://pay.example/one');
      await age(due.id, 5);
      await age(late.id, 9);
      await age(past.id, 8);
      await sql('select public.pause_messages()');
      await queue([limitOf(9)]);
      const before = [await queued(due.id), await queued(late.id)];
      await stage.value(FUNCTIONS, 'select public.resume_messages()');
      assert.deepEqual(before, [[], []]);
      await queue([limitOf(9)]);
      assert.deepEqual([(await queued(due.id)).length, (await queued(late.id)).length], [3, 2]);
      const kinds = (await queued(past.id)).map(([kind]) => kind);
      assert.ok(!kinds.includes('reminder'), 'the date is over');
    });

    test('each change of a link is one message to every target of the owner, and names both links', async () => {
      await configure(LINKS);
      const { id, call, change } = await agree();
      await change('link', 'https://pay.example/one');
      await change('paid', true);
      await change('link', 'https://pay.example/two');
      await call({ kind: 'take_back', seen: 2, deal_seen: 3 });
      await queue();
      await queue();
      assert.deepEqual(await queued(id), [
        ['pay_link', HOOK, 1],
        ['pay_link', HOOK, 3],
        ['pay_link', MAIL, 1],
        ['pay_link', MAIL, 3],
      ]);
      const changes: Row[] = [];
      // Five for each target in a call, and other tests have changed links.
      for (let left = true; left; ) {
        const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
          target: string;
          offers: { id: unknown; deal: Row & { change: Row }; move?: Row }[];
        }[];
        left = deliveries.length > 0;
        for (const { target, offers } of deliveries)
          for (const { deal, move, ...offer } of offers)
            if (offer.id === id && target === MAIL) changes.push({ ...deal.change, move });
      }
      assert.deepEqual(
        changes.map((one) => [one?.from, one?.to, one?.by, one?.move]),
        [
          [undefined, 'https://pay.example/one', 'owner@example.com', undefined],
          // Of the number of the take-back.
          ['https://pay.example/one', 'https://pay.example/two', 'owner@example.com', undefined],
        ],
      );
    });

    test('of two deals in force for a name one shows where to pay: the paid one, else the first', async () => {
      await configure({ ...BANK, ...LINKS, checkout: 'https://pay.example' });
      const first = await agree();
      const second = await open(first.domain);
      assert.equal((await second.call()).payment?.taken_by, 'Ada', 'before the acceptance');
      await second.set('accepted');
      const ways = async () => [(await first.buyer()).payment?.way, (await second.buyer()).payment?.way];
      assert.deepEqual(await ways(), ['template', undefined]);
      const { payment, state } = await second.call();
      assert.deepEqual([payment?.taken_by, state.deal?.pay_by], ['Ada', undefined]);
      assert.equal((await first.call()).payment?.taken_by, undefined);
      assert.equal((await second.change('way', 'closing')).outcome, 'not_possible');
      await second.change('link', 'https://pay.example/one');
      assert.deepEqual(await ways(), ['template', undefined]);
      await second.change('paid', true);
      assert.deepEqual(await ways(), [undefined, 'link']);
      const third = await open(first.domain);
      await sql('alter table public.offers disable trigger only_the_status_changes');
      await sql(`update public.offers set customer_name = 'Grace' where id = $1`, second.id);
      await sql('alter table public.offers enable trigger only_the_status_changes');
      assert.equal((await third.call()).payment?.taken_by, 'Grace', 'of two deals the one that is paid');
      await second.change('paid', false);
      await first.set('rejected');
      assert.equal((await second.buyer()).payment?.way, 'link');
      await first.set('accepted');
      assert.deepEqual(await ways(), [undefined, 'link'], 'its first deal has ended');
    });

    test('two offers for a name that are accepted at once have one way to pay', async () => {
      await configure(BANK);
      await Promise.all(
        Array.from({ length: choice.isConcurrent ? PAIRS : 1 }, async () => {
          const one = await open();
          const other = await open(one.domain);
          await Promise.all([one.set('accepted'), other.call({ kind: 'accept', seen: 1 })]);
          await other.set('accepted');
          const ways = async () => {
            const calls = [await one.buyer(), await other.buyer()];
            return calls.map(({ payment }) => payment?.way).filter(Boolean);
          };
          assert.deepEqual(await ways(), ['closing']);
          await sql(
            'update private.deals set agreed_at = $2 where offer_id = any($1)',
            [one.id, other.id],
            new Date(),
          );
          assert.deepEqual(await ways(), ['closing'], 'in the same moment');
        }),
      );
    });

    test('a payment that is overdue raises one message, in place of that about silence', async () => {
      await configure(BANK);
      const [late, paid, none, sold, over] = [
        await agree(),
        await agree(),
        await agree(),
        await agree(),
        await agree(),
      ];
      await paid.change('paid', true);
      await none.change('pay_by', null);
      await queue();
      for (const { id } of [late, paid, none, sold, over]) await age(id, 9);
      await sold.list('sold');
      await over.call({ kind: 'take_back', seen: 2 });
      await queue();
      await queue();
      const kindsOf = async (id: unknown) => (await queued(id)).map(([kind, target]) => [kind, target]);
      const once = [
        ['unpaid', HOOK],
        ['unpaid', MAIL],
      ];
      assert.deepEqual(await kindsOf(late.id), once);
      for (const { id } of [paid, none, sold, over]) assert.deepEqual(await queued(id), []);
      await late.change('pay_by', inDays(3));
      await queue();
      assert.deepEqual(await kindsOf(late.id), once);
      await age(late.id, 8);
      await queue();
      await queue();
      assert.deepEqual(await kindsOf(late.id), [...once, ...once].sort(), 'of the date that it was moved to');
      await late.change('paid', true);
      await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)');
      const sent = `select from private.messages where offer_id = $1 and dismissed_at is null`;
      assert.deepEqual(await sql(sent, late.id), [], 'none where it was paid meanwhile');
    });

    test('an acceptance without a date raises the alarm about silence, unless it is paid', async () => {
      await configure(BANK);
      const [silent, paid, dated] = [await agree(), await agree(), await agree()];
      // Its first deal had a date.
      for (const [seen, kind] of [
        [2, 'take_back'],
        [3, 'accept'],
      ])
        await silent.call({ kind, seen });
      for (const { change } of [silent, paid]) await change('pay_by', null);
      await paid.change('paid', true);
      await sql('alter table private.offer_moves disable trigger moves_are_not_changed');
      for (const { id } of [silent, paid, dated])
        await sql(
          `update private.offer_moves set created_at = created_at - interval '8 days' where offer_id = $1`,
          id,
        );
      await sql('alter table private.offer_moves enable trigger moves_are_not_changed');
      await queue();
      assert.deepEqual(
        (await queued(silent.id)).map(([kind]) => kind),
        ['silent', 'silent'],
        'one to each target',
      );
      for (const { id } of [paid, dated]) assert.deepEqual(await queued(id), []);
    });

    // Before noon in UTC it is yesterday's date that is not over yet. PGlite has the clock of its process.
    test('a payment is overdue once its date is over everywhere on earth', async (context) => {
      const morning = new Date().setUTCHours(6, 0, 0, 0);
      if (!choice.isConcurrent) context.mock.timers.enable({ apis: ['Date'], now: morning });
      // At night it is later than the session may be idle.
      await sql(`update private.admin_sessions set refreshed_at = greatest(refreshed_at, now())`);
      await configure(BANK);
      const { id } = await agree();
      const alarms = async (days: number) => {
        await sql(
          `update private.deals set pay_by = ((now() - interval '12 hours') at time zone 'UTC')::date - $2::integer
           where offer_id = $1`,
          id,
          days,
        );
        await queue();
        return (await queued(id)).length;
      };
      assert.deepEqual([await alarms(0), await alarms(1)], [0, 2]);
    });

    test('a date that was moved has a reminder of its own, each date one', async () => {
      await configure(BANK);
      const { id, change } = await agree();
      const remind = async () => {
        await queue([limitOf(9)]);
        return (await queued(id)).length;
      };
      await age(id, 5);
      assert.equal(await remind(), 1);
      await change('pay_by', inDays(20));
      assert.equal(await remind(), 1);
      await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)');
      const dropped = await sql(
        'select reason from private.messages where offer_id = $1 and dismissed_at is not null',
        id,
      );
      assert.deepEqual(dropped, [{ reason: 'There is nothing to pay, or by another date.' }]);
      await change('pay_by', inDays(1));
      assert.equal(await remind(), 2);
      await change('pay_by', inDays(20));
      await change('pay_by', inDays(1));
      assert.equal(await remind(), 2);
    });

    test('one reminder goes to the buyer two days before, in the limits of mails', async () => {
      await configure(BANK);
      const [first, second, paid, young] = [await agree(), await agree(), await agree(), await agree()];
      await young.change('pay_by', inDays(2));
      const limits = [limitOf(1)];
      await queue(limits);
      for (const { id } of [first, second, paid]) await age(id, 5);
      // That which is to be paid first is reminded first.
      await second.change('pay_by', inDays(1));
      await queue();
      const reminded = async () => {
        const all = [first, second, paid, young].map(async ({ id }) => (await queued(id)).length);
        return await Promise.all(all);
      };
      assert.deepEqual(await reminded(), [0, 0, 0, 0], 'where confirmations are off');
      await paid.change('paid', true);
      await queue(limits);
      await queue(limits);
      assert.deepEqual(await reminded(), [0, 1, 0, 0]);
      await queue([limitOf(9)]);
      assert.deepEqual(await reminded(), [1, 1, 0, 0]);
      assert.equal((await first.call()).state.had_mail, true);
      const email = await value('select customer_email from public.offers where id = $1', first.id);
      const stored = (await stage.value(FUNCTIONS, 'select public.read_customer($1)', [email])) as {
        mails: Row[];
      };
      assert.deepEqual(
        stored.mails.map(({ kind }) => kind),
        ['reminder'],
        'told to a customer who asks what is stored',
      );
      await second.change('paid', true);
      await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)');
      const sent = await sql(
        `select m.offer_id, m.dismissed_at is null as is_sent from private.messages m where m.kind = 'reminder' and m.offer_id = any($1)`,
        [first.id, second.id],
      );
      assert.deepEqual(
        sent.map(({ offer_id, is_sent }) => [offer_id === first.id, is_sent]).sort(),
        [
          [false, false],
          [true, true],
        ],
        'none where it was paid meanwhile',
      );
    });

    test('of deals to be paid by one date each has its reminder, unless it ended, is paid or its name sold meanwhile', async () => {
      await configure(BANK);
      const [due, paid, over, sold] = [await agree(), await agree(), await agree(), await agree()];
      await sql(`update private.idempotency_keys set language = 'de' where offer_id = $1`, due.id);
      const limits = () => [limitOf(999)];
      await age(due.id, 4);
      await queue(limits());
      assert.deepEqual(await queued(due.id), [], 'three days before');
      await age(due.id, 1);
      await queue(limits());
      for (const { id } of [paid, over, sold]) await age(id, 5);
      await queue(limits());
      await paid.change('paid', true);
      await over.call({ kind: 'take_back', seen: 2 });
      await sold.list('sold');
      await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)');
      const reminders = async ({ id }: typeof due) =>
        await sql(
          `select m.locale, m.dismissed_at is null as is_sent, private.describe_delivery(array[m.id]) #> '{offers,0,link,number}' as link
           from private.messages m where m.offer_id = $1 and m.kind = 'reminder'`,
          id,
        );
      assert.deepEqual(await reminders(due), [{ locale: 'de', is_sent: true, link: 1 }]);
      for (const one of [paid, over, sold])
        assert.deepEqual(await reminders(one), [{ locale: 'en', is_sent: false, link: 1 }]);
      const numbers = await sql(
        'select distinct move_number from private.messages where offer_id = any($1)',
        [due, paid, over, sold].map(({ id }) => id),
      );
      assert.equal(numbers.length, 1, 'a number counts the deals of its own offer alone');
    });

    // Messages of offers that are not accepted are deleted 30 days after they were sent.
    test('what is more than a week old raises no message about it again', async () => {
      await configure({ ...BANK, ...LINKS });
      const [late, linked] = [await agree(), await agree()];
      await linked.change('link', 'https://pay.example/one');
      await sql(
        `update private.deals set changes = jsonb_set(changes, '{0,at}', to_jsonb(now() - interval '8 days'))
         where offer_id = $1`,
        linked.id,
      );
      await age(late.id, 17);
      await queue();
      assert.deepEqual([await queued(late.id), await queued(linked.id)], [[], []]);
    });

    test('with nothing configured nothing is queued but what was before', async () => {
      const { id, deal } = await agree();
      await sql(
        'update private.deals set agreed_at = now() - make_interval(days => 5) where offer_id = $1',
        id,
      );
      await queue([limitOf(9)]);
      assert.deepEqual([await queued(id), (await deal())?.pay_by], [[], undefined]);
    });

    test('a name that is sold takes no payment, and its page stays for a buyer who has paid', async () => {
      await configure({ ...BANK, checkout: 'https://pay.example' });
      const [paying, paid] = [await agree(), await agree()];
      await paid.change('paid', true);
      for (const { list } of [paying, paid]) await list('sold');
      assert.equal((await paying.buyer()).outcome, 'invalid');
      assert.deepEqual((await paying.call()).payment?.way, undefined);
      const { state, payment } = await paid.buyer();
      assert.deepEqual([state.status, payment?.way], ['accepted', 'template']);
      const { ended } = (await paying.call({ kind: 'take_back', seen: 2 })).state;
      assert.equal(ended?.[0]?.pay_by, inDays(7), 'an ended deal keeps its date');
    });

    test('a buyer reads that the deal fell through, while the name is still reserved or sold', async () => {
      await configure(BANK);
      for (const state of ['reserved', 'sold']) {
        const { call, buyer, change, list } = await agree();
        await change('paid', true);
        await list(state);
        await call({ kind: 'take_back', seen: 2, deal_seen: 1, as: 'rejected', note: 'Sorry.' });
        const read = await buyer();
        assert.deepEqual([read.outcome, read.state.status, read.state.can], ['read', 'declined', []], state);
        assert.equal(read.state.moves.at(-1)?.note, 'Sorry.');
        assert.equal(read.payment, undefined);
      }
    });

    test('a name that is reserved or sold opens no offer that was taken back, paid or not, or declined', async () => {
      for (const state of ['reserved', 'sold']) {
        const taken = await agree();
        await taken.change('paid', true);
        await taken.call({ kind: 'take_back', seen: 2, deal_seen: 1 });
        const declined = await open();
        await declined.call({ kind: 'decline', seen: 1 });
        for (const { list, buyer } of [taken, declined]) {
          assert.equal((await buyer()).outcome, 'read');
          await list(state);
          assert.equal((await buyer()).outcome, 'invalid', state);
        }
      }
    });

    test('a name that is reserved for one buyer is accepted for no other', async () => {
      const one = await agree();
      const other = await open(one.domain);
      await other.call({ kind: 'counter', seen: 1, amount: '$9' });
      await one.list('reserved');
      assert.equal((await other.buyer()).outcome, 'invalid');
      assert.equal((await other.call({ kind: 'counter', seen: 2, amount: '$10' })).outcome, 'not_possible');
      assert.equal((await one.buyer()).outcome, 'read');
      assert.equal((await one.change('paid', true)).outcome, 'made');
    });

    test('of calls at once each leaves one deal and one history', async () => {
      const pairs = Array.from({ length: choice.isConcurrent ? PAIRS : 1 });
      await Promise.all(
        pairs.map(async () => {
          const { id, call, buyer, change, set, deal } = await open();
          await call({ kind: 'counter', seen: 1, amount: '$4,200' });
          await Promise.all([buyer({ kind: 'accept', seen: 2 }), set('accepted').catch(() => undefined)]);
          const begun = await sql('select from private.deals where offer_id = $1', id);
          assert.equal(begun.length, 1, 'accepted by hand and by the buyer');
          const seen = await deal();
          const ticks = await Promise.all([
            change('paid', true, seen),
            change('paid', true, seen),
            change('paid', true, seen),
          ]);
          assert.deepEqual(
            ticks.map(({ outcome }) => outcome).filter((outcome) => outcome === 'made').length,
            1,
            'ticked three times',
          );
          const moves = (await call()).state.seen;
          const ticked = { ...(await deal()), seen: 1 };
          const [taken, unticked] = await Promise.all([
            call({ kind: 'take_back', seen: moves, deal_seen: 1 }),
            change('paid', false, ticked),
          ]);
          assert.deepEqual(
            [taken.outcome, unticked.outcome].sort(),
            ['made', 'moved'],
            'taken back while it is changed',
          );
          const rows = await sql(
            'select ended_at is null as in_force from private.deals where offer_id = $1',
            id,
          );
          const status = await value('select status from public.offers where id = $1', id);
          assert.equal(rows.filter(({ in_force }) => in_force).length, status === 'accepted' ? 1 : 0);
        }),
      );
    });

    test('the list has the deal, and the search finds its reference', async () => {
      const { id, call, deal, change } = await agree();
      const { reference: former = '' } = (await deal()) ?? {};
      await call({ kind: 'take_back', seen: 2 });
      await call({ kind: 'accept', seen: 3 });
      const { reference = '' } = (await deal()) ?? {};
      await change('paid', true);
      const standings = async () =>
        ((await stage.value(ADMINISTRATOR, 'select public.standings($1)', [[id]])) as Record<string, Row>)[
          String(id)
        ];
      const listed = (await standings())?.deal as Row;
      assert.deepEqual([listed.reference, Boolean(listed.paid_at)], [reference, true]);
      const find = async (term: string) =>
        (await stage.value(ADMINISTRATOR, 'select public.find_offers($1)', [JSON.stringify({ term })])) as {
          offers: Row[];
        };
      // A payment may name that of the deal before.
      for (const term of [reference, reference.toLowerCase().slice(-6), former])
        assert.deepEqual(
          (await find(term)).offers.map((offer) => offer.id),
          [id],
        );
      const byHand = await open();
      await byHand.set('accepted');
      const plain = (await stage.value(ADMINISTRATOR, 'select public.standings($1)', [
        [byHand.id],
      ])) as Record<string, Row>;
      assert.deepEqual(Object.keys(plain), [byHand.id]);
      assert.equal(plain[String(byHand.id)]?.kind, 'close');
    });

    test('exports and what is stored about a customer have the deals; purge waits for their last change', async () => {
      await configure(BANK);
      const [{ id, call, change, deal }, other] = [await agree(), await agree()];
      const former = await deal();
      await call({ kind: 'take_back', seen: 2 });
      await call({ kind: 'accept', seen: 3 });
      await change('paid', true);
      const page = (await stage.value(FUNCTIONS, 'select public.export_offers(1000)')) as { offers: Row[] };
      const [exported, ...others] = page.offers.filter((offer) => offer.id === id) as (Row & {
        deals: Row[];
      })[];
      assert.deepEqual(others, [], 'once');
      const { reference, pay_by, paid_at, agreed_amount, deals } = exported as Row & { deals: Row[] };
      assert.deepEqual(
        [reference, pay_by, Boolean(paid_at), agreed_amount],
        [(await deal())?.reference, inDays(7), true, '$4,100'],
      );
      assert.deepEqual(
        deals.map((one) => one.reference),
        [former?.reference, reference],
      );
      const email = await value('select customer_email from public.offers where id = $1', id);
      const customer = (await stage.value(FUNCTIONS, 'select public.read_customer($1)', [email])) as {
        offers: { deals: { reference: string; changes: Row[] }[]; history: Row[] }[];
      };
      assert.deepEqual(
        customer.offers[0]?.history.map(({ old_status, new_status }) => [old_status, new_status]),
        [
          ['pending', 'accepted'],
          ['accepted', 'negotiating'],
          ['negotiating', 'accepted'],
        ],
        'that of this offer alone',
      );
      const own = customer.offers[0]?.deals.at(-1);
      assert.deepEqual(
        [own?.reference, own?.changes[0]?.field, own?.changes[0]?.by],
        [reference, 'paid', undefined],
      );

      const purge = (accepted = true) =>
        stage.value(FUNCTIONS, `select public.purge_offers('1 year', $1, true)`, [accepted]);
      const history = 'private.offer_status_changes where offer_id = $1';
      const changeDeal = (changes: string) =>
        sql(`update private.deals set changes = ${changes} where offer_id = $1 and ended_at is null`, id);
      const old = `to_jsonb(now() - interval '2 years')`;
      await sql(`delete from ${history}`, id);
      await changeDeal(`jsonb_set(changes, '{0,at}', ${old})`);
      assert.equal(await purge(), 0, 'it came a moment ago');
      await sql('alter table public.offers disable trigger only_the_status_changes');
      await sql(`update public.offers set created_at = now() - interval '2 years' where id = $1`, id);
      await sql('alter table public.offers enable trigger only_the_status_changes');
      await sql(
        `insert into private.offer_status_changes (offer_id, old_status, new_status, changed_at)
         values ($1, 'pending', 'accepted', now() - interval '11 months')`,
        id,
      );
      assert.equal(await purge(), 0, 'its status changed within the year');
      await sql(
        `update private.offer_status_changes set changed_at = changed_at - interval '2 years' where offer_id = $1`,
        id,
      );
      await changeDeal(`changes || jsonb_set(changes -> 0, '{at}', to_jsonb(now() - interval '11 months'))`);
      assert.equal(await purge(), 0, 'the last change of its deal was within the year');
      await changeDeal(`jsonb_set(changes, '{1,at}', ${old})`);
      assert.equal(await purge(false), 0, 'of rejected offers alone');
      assert.equal(await purge(), 1);
      assert.deepEqual(await sql(`select from ${history}`, id), []);
      assert.equal((await sql(`select from ${history}`, other.id)).length, 1, 'of no other offer');
      assert.deepEqual(await sql('select from private.deals where offer_id = $1', id), []);
      assert.equal((await call()).outcome, 'unknown');
    });

    test('the reference of an erased offer is never given again, and is all that is left of its deal', async () => {
      const { id, deal } = await agree();
      const { reference } = (await deal()) ?? {};
      const isGiven = () => value('select private.is_reference_given($1)', reference);
      assert.equal(await isGiven(), true);
      await sql('select private.erase_offers(array[$1::uuid])', id);
      assert.equal(await isGiven(), true);
      const left = 'select to_jsonb(r) from private.erased_references r where reference = $1';
      assert.deepEqual(await value(left, reference), { reference });
      assert.equal(await value(`select private.is_reference_given('LAP-0000')`), false);
      const page = await stage.value(FUNCTIONS, `select public.read_rows('erased_references')`);
      const rows = (page as { rows: Row[] }).rows.filter((row) => row.reference === reference);
      await sql('delete from private.erased_references where reference = $1', reference);
      for (const _ of ['once', 'and again'])
        await stage.value(FUNCTIONS, `select public.receive_rows('erased_references', $1)`, [json(rows)]);
      assert.equal(await isGiven(), true);
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS])
        await stage.rejects(actor, 'select from private.erased_references');
    });

    test('deals go with their offer to another database, once', async () => {
      const { id, call, change } = await agree();
      await change('paid', true);
      const before = (await call()).state;
      const page = (await stage.value(FUNCTIONS, `select public.read_rows('deals')`)) as { rows: Row[] };
      const rows = page.rows.filter((row) => row.offer_id === id);
      const moves = await sql('select * from private.offer_moves where offer_id = $1', id);
      const offer = await value('select to_jsonb(o) from public.offers o where id = $1', id);
      const receive = (kind: string, received: unknown[]) =>
        stage.value(FUNCTIONS, 'select public.receive_rows($1, $2)', [kind, json(received)]) as Promise<Row>;
      await sql('select private.erase_offers(array[$1::uuid])', id);
      assert.equal((await receive('deals', rows)).erased, 1);
      await sql('delete from private.erased_offers where offer_id = $1', id);
      await receive('offers', [offer]);
      await receive('offer_moves', moves);
      for (const _ of ['once', 'and again']) assert.equal((await receive('deals', rows)).present, 1);
      assert.deepEqual((await call()).state.deal, before.deal);
    });

    test('no role reads or writes deals but through the functions', async () => {
      const { id, deal } = await agree();
      const { reference } = (await deal()) ?? {};
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS]) {
        await stage.rejects(actor, 'select from private.deals');
        await stage.rejects(actor, 'update private.deals set paid_at = now()');
        await stage.rejects(actor, `select private.change_deal($1, '{}')`, [id]);
      }
      await stage.rejects(OWNER, 'delete from private.deals where reference = $1', [reference]);
      await stage.rejects(OWNER, `update private.deals set reference = 'LAP-7F3K' where reference = $1`, [
        reference,
      ]);
      const statement = `select public.negotiate_as_owner($1, deal => '{"field": "paid", "to": true}')`;
      await stage.endsSession(STRANGER, statement, [id]);
      await stage.rejects(VISITOR, statement, [id]);
    });
  });
}
