/** How messages are queued, taken, tried again and reported, decided by the database alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { roomInWindow } from '../../tests/abuse/room-in-window.ts';
import { checkResults } from '../functions/_shared/call-database.ts';
import type { MessageSettings } from '../functions/_shared/contract/message-settings.ts';
import { deliverMessages } from '../functions/deliver/deliver-messages.ts';
import { MAIL as MAIL_SETTINGS } from '../functions/deliver/delivery.fixture.ts';
import { startSmtpServer } from '../functions/deliver/fake-smtp-server.ts';
import { createSend } from '../functions/deliver/send.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  type Stage,
  type Submission,
  submit,
} from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

const MAIL = 'mailto:owner@example.org';
const HOOK = 'https://hooks.example.org/Path';
const TO_OWNER = [
  { kind: 'offer', target: MAIL },
  { kind: 'offer', target: HOOK },
];
const LEASE_SECONDS = 60;
/** Digests are due when one ends. */
const TEN_MINUTES = 600;

interface Delivery {
  ids: number[];
  kind: string;
  target: string;
  locale: string | null;
  batch: string | null;
  attempts: number;
  offers: Row[];
}

for (const choice of ENGINES) {
  describe(`messages on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    const reset = () =>
      stage.as(
        OWNER,
        `do $$ begin
           perform set_config('private.erasing', 'yes', true);
           delete from public.offers;
           delete from private.failing_servers;
           update private.message_state set paused_before = null, sent = 0, last_sent_at = null, servers = '{}';
         end $$`,
      );
    beforeEach(reset);
    after(() => stage.close());

    const rows = (columns = 'kind, target, locale, digest') =>
      stage.as(OWNER, `select ${columns} from private.messages order by id`);
    const call = (statement: string, ...parameters: unknown[]) =>
      stage.value(FUNCTIONS, `select public.${statement}`, parameters);
    const acquire = async (max = 100, ids: number[] = []) =>
      (await call('acquire_messages($1, $2, $3)', max, LEASE_SECONDS, ids)) as Delivery[];
    const begin = ({ ids }: Delivery) => call('begin_delivery($1)', ids);
    /** Acquires messages, and begins a try of each. */
    const take = async (max = 100, ids: number[] = []) => {
      const deliveries = await acquire(max, ids);
      for (const delivery of deliveries) assert.equal(await begin(delivery), true);
      return deliveries;
    };
    const sent = (deliveries: Delivery[]) =>
      call(
        'mark_messages_sent($1)',
        deliveries.flatMap(({ ids }) => ids),
      );
    const failed = (deliveries: Delivery[], permanent = false, reason = '451 try later', address = false) =>
      call(
        'mark_messages_failed($1, $2, $3, $4)',
        deliveries.flatMap(({ ids }) => ids),
        reason,
        permanent,
        address,
      );
    const offers = (count: number, submission: Submission) =>
      Promise.all(Array.from({ length: count }, () => submit(stage, submission)));
    /** Moves every message's times back, as if so much time had gone by. */
    const wait = (time: string) =>
      stage.as(
        OWNER,
        `update private.messages set created_at = created_at - $1::interval, due_at = due_at - $1::interval,
           leased_until = leased_until - $1::interval, give_up_at = give_up_at - $1::interval,
           reason_at = reason_at - $1::interval, sent_at = sent_at - $1::interval, failed_at = failed_at - $1::interval`,
        [time],
      );
    const waitForServers = (time: string) =>
      stage.as(
        OWNER,
        'update private.failing_servers set next_try_at = next_try_at - $1::interval, since = since - $1::interval',
        [time],
      );
    /** Stores pending offers of an age; with `announced` each has had a message. */
    const oldOffers = async (
      age: string,
      { count = 1, announced = false, held = false, low = false } = {},
    ) => {
      await stage.as(
        OWNER,
        `with stored as (
           insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, held, low)
           select 'lap.app', n::text, 'Ada', 'ada@example.com', now() - $1::interval + n * interval '1 ms', $3, $5
           from generate_series(1, $2) as n returning id, created_at
         )
         insert into private.messages (kind, offer_id, target, created_at, sent_at)
         select 'offer', id, $6, created_at, now() from stored where $4`,
        [age, count, held, announced, low, MAIL],
      );
    };
    const status = async () => (await stage.value(ADMINISTRATOR, 'select public.message_status()')) as Row;
    const retry = () => stage.value(ADMINISTRATOR, 'select public.retry_messages()');

    test('an offer that is stored queues one message to each target, and none where none is named', async () => {
      const token = randomUUID();
      const messages = [
        ...TO_OWNER,
        { kind: 'confirmation', target: 'mailto:Ada@Example.com', locale: 'de' },
      ];
      await submit(stage, { token, messages });
      await submit(stage, { token, messages });
      const single = { locale: null, digest: false };
      assert.deepEqual(await rows(), [
        { kind: 'offer', target: MAIL, ...single },
        { kind: 'offer', target: HOOK, ...single },
        { kind: 'confirmation', target: 'mailto:ada@example.com', locale: 'de', digest: false },
      ]);
      await submit(stage, { messages: [] });
      await submit(stage);
      assert.equal((await rows()).length, 3);
    });

    test('a delivery has the message of the customer', async () => {
      await submit(stage, { messages: [{ kind: 'offer', target: MAIL }], message: 'one\ntwo' });
      await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
      const deliveries = await take();
      const messageTo = (target: string) =>
        deliveries.find((one) => one.target === target)?.offers[0]?.message;
      assert.deepEqual([messageTo(MAIL), messageTo(HOOK)], ['one\ntwo', undefined]);
    });

    test('a delivery has the asking price and the language of the page', async () => {
      const messages = [{ kind: 'offer', target: MAIL }];
      await submit(stage, { messages, locale: 'de' });
      await submit(stage, { messages, domain: 'host.example' });
      const found = (await take()).map(({ offers: [offer] }) => [offer?.asking_price, offer?.language]);
      assert.deepEqual(found, [
        ['$10,000', 'de'],
        // Without a price, and on a page in the catalogue's first language.
        [undefined, 'en'],
      ]);
    });

    test('an offer that is not stored queues no message', async () => {
      const offer = { limits: { sender: [limitOf(1)] }, messages: TO_OWNER };
      assert.equal((await submit(stage, offer)).outcome, 'stored');
      assert.equal((await submit(stage, offer)).outcome, 'limited');
      assert.equal((await rows()).length, 2);
    });

    test('past twenty messages in ten minutes, further ones are a digest at the next tenth minute', async () => {
      await roomInWindow(10, TEN_MINUTES);
      for (let offer = 0; offer < 22; offer += 1) await submit(stage, { messages: TO_OWNER });
      const queued = await rows(
        `digest, due_at <= now() as due,
         extract(epoch from due_at) / 600 = floor(extract(epoch from due_at) / 600) as even,
         due_at - now() <= interval '10 minutes' as soon`,
      );
      assert.equal(queued.filter(({ digest, due }) => !digest && due).length, 40);
      const digests = queued.filter(({ digest }) => digest);
      assert.equal(digests.length, 4);
      for (const row of digests) assert.deepEqual(row, { digest: true, due: false, even: true, soon: true });
      await wait('10 minutes');
      await submit(stage, { messages: TO_OWNER });
      assert.equal((await rows('digest')).at(-1)?.digest, false);
    });

    test('a held offer is announced in a digest only, and not confirmed', async () => {
      const held = { limits: { shared: [limitOf(1)] } };
      const messages = [...TO_OWNER, { kind: 'confirmation', target: 'mailto:held@example.com' }];
      await submit(stage, held);
      await submit(stage, { ...held, messages });
      assert.deepEqual(await rows('kind, digest'), [
        { kind: 'offer', digest: true },
        { kind: 'offer', digest: true },
      ]);
    });

    test('a confirmation has the link that was made with its offer; no other offer has one', async () => {
      const [id, hash, nonce] = [randomUUID(), 'a'.repeat(64), 'b'.repeat(32)];
      const link = { number: 1, hash, nonce };
      const confirmation = {
        kind: 'confirmation',
        target: 'mailto:ada@x.example',
        link: { offer_id: id, ...link },
      };
      const messages = [{ kind: 'offer', target: MAIL }, confirmation];
      const token = randomUUID();
      for (const outcome of ['stored', 'repeated'])
        assert.deepEqual(await submit(stage, { token, messages }), { outcome, id });
      // Held, and the second of a customer.
      const other = { ...confirmation, link: { ...link, offer_id: randomUUID(), hash: 'c'.repeat(64) } };
      await submit(stage, { limits: { shared: [limitOf(0)] }, messages: [other] });
      await submit(stage, { messages: [{ ...other, link: { ...other.link, offer_id: randomUUID() } }] });
      const links = await stage.as(
        OWNER,
        'select offer_id, token_hash, number, nonce from private.offer_links',
      );
      assert.deepEqual(links, [{ offer_id: id, token_hash: hash, number: 1, nonce }]);
      const deliveries = await take();
      assert.deepEqual(
        deliveries.map(({ kind, offers: [offer] }) => [kind, offer?.link]),
        [
          ['offer', undefined],
          ['confirmation', link],
        ],
        'the owner gets none',
      );
    });

    test('low offers of a day are one digest to each target, beside the others, and are confirmed and never overdue', async () => {
      const price = { amount: '1', currency: 'USD' };
      await publish(stage, [{ name: 'lap.app', minimum: { amount: '500', currency: 'USD' } }]);
      // Not low, and before them.
      await submit(stage, { messages: TO_OWNER });
      await offers(250, { price, messages: TO_OWNER });
      await submit(stage, { price, messages: [{ kind: 'confirmation', target: 'mailto:low@x.example' }] });
      await submit(stage, { price, limits: { shared: [limitOf(0)] }, messages: TO_OWNER });
      await submit(stage, { messages: TO_OWNER });
      assert.deepEqual((await rows('kind, digest')).slice(-5), [
        { kind: 'confirmation', digest: false },
        // Held and low.
        { kind: 'offer', digest: true },
        { kind: 'offer', digest: true },
        { kind: 'offer', digest: false },
        { kind: 'offer', digest: false },
      ]);
      const due = await stage.as(
        OWNER,
        `select distinct due_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '1 day' as next
         from private.messages where kind = 'low'`,
      );
      assert.deepEqual(due, [{ next: true }]);
      await stage.as(OWNER, 'update private.messages set due_at = now()');
      const taken = await take();
      assert.equal(taken.find(({ kind }) => kind === 'confirmation')?.offers[0]?.low, true);
      const digests = taken.filter(({ kind }) => kind === 'low');
      assert.deepEqual(
        digests.map(({ ids, offers }) => [ids.length, offers.length]),
        [
          [250, 200],
          [250, 200],
        ],
      );
      await sent(digests);
      await oldOffers('48 hours', { low: true });
      assert.equal(await call('queue_overdue($1)', [MAIL]), 0);
      await oldOffers('48 hours');
      assert.equal(await call('queue_overdue($1)', [MAIL]), 1);
      await call('erase_customer($1)', 'ada@example.com');
      assert.deepEqual(await rows(), []);
      await publish(stage, [{ name: 'lap.app', price: '$10,000' }, { name: 'host.example' }]);
    });

    test('a customer gets one confirmation a day, however the address is written, of offers at once too', async () => {
      const confirmation = (target: string) => ({ messages: [{ kind: 'confirmation', target }] });
      const targets = Array.from({ length: 20 }, (_, n) =>
        n % 2 ? 'mailto:Ada@x.example' : 'mailto:aDA@x.example',
      );
      await Promise.all(targets.map((target) => submit(stage, confirmation(target))));
      await submit(stage, confirmation('mailto:grace@x.example'));
      assert.deepEqual((await rows('target')).map(({ target }) => target).sort(), [
        'mailto:ada@x.example',
        'mailto:grace@x.example',
      ]);
      for (const [time, count] of [
        ['23 hours', 2],
        ['1 hour', 3],
      ] as const) {
        await wait(time);
        await submit(stage, confirmation('mailto:ada@x.example'));
        assert.equal((await rows()).length, count, time);
      }
    });

    test('a customer who got a reply gets the confirmation of another offer', async () => {
      const target = 'mailto:ada@x.example';
      const { id } = await submit(stage);
      await stage.as(
        OWNER,
        `insert into private.messages (kind, offer_id, target) values ('reply', $1, $2)`,
        [id, target],
      );
      await submit(stage, { messages: [{ kind: 'confirmation', target }] });
      assert.deepEqual(await rows('kind'), [{ kind: 'reply' }, { kind: 'confirmation' }]);
    });

    test('a mailbox gets one confirmation a day, whatever stands after a plus sign', async () => {
      const confirmationTo = (target: string) =>
        submit(stage, { messages: [{ kind: 'confirmation', target }] });
      for (let tag = 0; tag < 60; tag += 1) await confirmationTo(`mailto:victim+${tag}@x.example`);
      await confirmationTo('mailto:Victim@x.example');
      await confirmationTo('mailto:victim++a+b@x.example');
      await confirmationTo('mailto:other+1@x.example');
      assert.deepEqual(
        (await rows('target')).map(({ target }) => target),
        ['mailto:victim+0@x.example', 'mailto:other+1@x.example'],
      );
    });

    test('past a limit of confirmations an offer is stored without one, and does not count in the others', async () => {
      const everybody = limitOf(7, 'everybody');
      const send = async (network: object, count: number) => {
        const outcomes = await Promise.all(
          Array.from({ length: count }, () =>
            submit(stage, {
              messages: [
                { kind: 'offer', target: MAIL },
                {
                  kind: 'confirmation',
                  target: `mailto:${randomUUID()}@x.example`,
                  limits: [network, everybody],
                },
              ],
            }),
          ),
        );
        assert.ok(outcomes.every(({ outcome }) => outcome === 'stored'));
      };
      const confirmations = async () =>
        (await rows('kind')).filter(({ kind }) => kind === 'confirmation').length;
      const attacker = limitOf(5, 'network');
      await send(attacker, 20);
      assert.equal(await confirmations(), 5);
      await send(attacker, 20);
      await send(limitOf(5, 'network'), 1);
      assert.equal(await confirmations(), 6, 'those of the attacker that were not sent do not count');
      await send(limitOf(5, 'network'), 5);
      assert.equal(await confirmations(), 7, 'the limit of all');
      assert.equal((await rows('kind')).length, 46 + 7);
    });

    test('an alarm about a pending offer has the amount that was named last', async () => {
      await oldOffers('21 hours');
      await stage.as(
        OWNER,
        `insert into private.offer_moves (offer_id, number, side, kind, amount)
         select id, 2, 'buyer', 'offer', '$9' from public.offers`,
      );
      await call('queue_overdue($1)', [MAIL]);
      const [delivery] = await take();
      assert.deepEqual([delivery?.kind, delivery?.offers[0]?.current_amount], ['overdue', '$9']);
      await stage.as(OWNER, `update private.messages set kind = 'low'`);
      const described = `select private.describe_delivery(array_agg(id)) from private.messages`;
      const low = (await stage.value(OWNER, described)) as Delivery;
      assert.equal(low.offers[0]?.current_amount, '$9', 'in a digest of low offers, too');
    });

    test('a taken message names its offer and stays taken until its lease ends', async () => {
      const { id } = await submit(stage, { messages: [{ kind: 'offer', target: MAIL }] });
      const [delivery, ...more] = await take();
      assert.deepEqual(more, []);
      const [offer] = delivery?.offers ?? [];
      const { created_at, ...texts } = offer ?? {};
      assert.ok(Math.abs(Date.now() - Date.parse(String(created_at))) < 60_000);
      assert.deepEqual(texts, {
        id,
        domain_name: 'lap.app',
        offer_amount: '1,000 € <script>',
        customer_name: 'Ada',
        customer_email: 'ada@example.com',
        held: false,
        asking_price: '$10,000',
        language: 'en',
      });
      const { ids, offers: _, ...rest } = delivery as Delivery;
      assert.equal(ids.length, 1);
      assert.deepEqual(rest, { kind: 'offer', target: MAIL, locale: null, batch: null, attempts: 1 });
      assert.deepEqual(await take(), []);
      await wait(`${LEASE_SECONDS - 5} seconds`);
      assert.deepEqual(await take(), []);
      await wait('5 seconds');
      const [again] = await take();
      assert.deepEqual(again?.ids, ids);
      assert.equal(again?.attempts, 2);
    });

    test('a sent message is never taken again, not by a late failure either', async () => {
      await submit(stage, { messages: TO_OWNER });
      const deliveries = await take();
      await sent(deliveries);
      await failed(deliveries);
      await call('make_messages_due()');
      await wait('1 day');
      assert.deepEqual(await take(), []);
      assert.deepEqual(await status().then(({ sent, queued, failed }) => ({ sent, queued, failed })), {
        sent: 2,
        queued: 0,
        failed: 0,
      });
    });

    test('the call that takes messages marks those sent before', async () => {
      await submit(stage, {
        messages: [...TO_OWNER, { kind: 'confirmation', target: 'mailto:ada@example.com' }],
      });
      const ids = (await take()).flatMap((delivery) => delivery.ids);
      assert.deepEqual(await take(100, ids.slice(1)), []);
      assert.deepEqual(await take(0, ids.slice(1)), []);
      assert.equal((await status()).sent, 2);
      await wait('1 day');
      assert.deepEqual(
        (await take()).flatMap((delivery) => delivery.ids),
        ids.slice(0, 1),
      );
    });

    test('so many deliveries are taken as asked for, five for a target, the oldest first', async () => {
      await offers(7, { messages: [{ kind: 'offer', target: MAIL }] });
      await wait('1 minute');
      await offers(7, { messages: [{ kind: 'offer', target: HOOK }] });
      await wait('1 minute');
      const confirmations = ['mailto:a@x.example', 'mailto:b@x.example'];
      for (const target of confirmations) {
        await submit(stage, { messages: [{ kind: 'confirmation', target }] });
        await wait('1 second');
      }
      const targets = async (max: number) => (await take(max)).map(({ target }) => target);
      assert.deepEqual(await targets(3), [MAIL, MAIL, MAIL]);
      assert.deepEqual(await targets(100), [
        ...Array(4).fill(MAIL),
        ...Array(5).fill(HOOK),
        ...confirmations,
      ]);
      assert.deepEqual(await targets(100), [HOOK, HOOK]);
      assert.deepEqual(await targets(100), []);
    });

    test('of calls at once each message is taken by one', async () => {
      const targets = Array.from({ length: 4 }, (_, n) => `https://hooks.example.org/${n}`);
      await offers(15, { messages: targets.map((target) => ({ kind: 'offer', target })) });
      const taken = (await Promise.all(Array.from({ length: 20 }, () => take(4)))).flat();
      const ids = taken.flatMap((delivery) => delivery.ids);
      assert.equal(ids.length, 60);
      assert.equal(new Set(ids).size, 60);
    });

    test('digest messages of a target are one delivery of at most 200 offers, the same at every try', async () => {
      await roomInWindow(20, TEN_MINUTES);
      await offers(20, { messages: TO_OWNER });
      await sent(await take());
      await sent(await take());
      await sent(await take());
      await sent(await take());
      for (let hundred = 0; hundred < 10; hundred += 1) await offers(23, { messages: TO_OWNER });
      assert.deepEqual(await take(), []);
      await call('make_messages_due()');
      assert.deepEqual(await take(), [], 'the start does not move a digest forward');
      await wait('10 minutes');
      const digests = await take();
      assert.deepEqual(digests.map(({ ids, offers }) => [ids.length, offers.length]).sort(), [
        [200, 200],
        [200, 200],
        [30, 30],
        [30, 30],
      ]);
      assert.equal(new Set(digests.map(({ batch }) => batch)).size, 4);
      const ofMail = digests.filter(({ target }) => target === MAIL);
      assert.equal(new Set(ofMail.flatMap(({ offers }) => offers.map(({ id }) => id))).size, 230);
      await failed(digests);
      await wait('1 minute');
      const again = await take();
      const byBatch = (deliveries: Delivery[]) =>
        Object.fromEntries(deliveries.map(({ batch, ids }) => [batch, ids.toSorted((a, b) => a - b)]));
      assert.deepEqual(byBatch(again), byBatch(digests));
      assert.ok(again.every(({ attempts }) => attempts === 2));
    });

    test('a digest that is tried again has none of the offers that came since', async () => {
      const held = { limits: { shared: [limitOf(0)] }, messages: [{ kind: 'offer', target: MAIL }] };
      await offers(2, held);
      await wait('10 minutes');
      await submit(stage, { messages: [{ kind: 'offer', target: MAIL }] });
      const [first, single, ...others] = (await take()) as [Delivery, Delivery];
      assert.deepEqual([first.ids.length, single.ids.length, others], [2, 1, []]);
      await sent([single]);
      await failed([first]);
      await submit(stage, held);
      await wait('10 minutes');
      const [again, later, ...more] = (await take()).toSorted((a, b) => b.ids.length - a.ids.length);
      assert.deepEqual([again?.ids, again?.batch, later?.ids.length, more], [first.ids, first.batch, 1, []]);
      assert.notEqual(later?.batch, first.batch);
    });

    test('a failed try is repeated after 10, 20, 40 … seconds, at most 6 hours', async () => {
      await submit(stage, { messages: [{ kind: 'offer', target: MAIL }] });
      const pauses: unknown[] = [];
      for (let attempt = 0; attempt < 14; attempt += 1) {
        await failed(await take());
        const [row] = await rows('round(extract(epoch from due_at - reason_at))::integer as pause');
        pauses.push(row?.pause);
        await stage.as(OWNER, 'update private.messages set due_at = now()');
      }
      assert.deepEqual(pauses.slice(0, 4), [10, 20, 40, 80]);
      assert.deepEqual(pauses.slice(-4), [10_240, 20_480, 21_600, 21_600]);
      // Its process ends during the try.
      await take();
      for (const [time, count] of [
        ['5 hours', 0],
        ['1 hour', 1],
      ] as const) {
        await wait(time);
        assert.equal((await take()).length, count, time);
      }
    });

    test('a message fails at once where that is permanent, else when three days are over', async () => {
      await submit(stage, { messages: TO_OWNER });
      const [mail, hook] = (await take()).toSorted((a, b) => (a.target < b.target ? 1 : -1)) as [
        Delivery,
        Delivery,
      ];
      await failed([mail], true, `550 no such user ${'x'.repeat(400)}`);
      await failed([mail], false, 'A late report of the same try');
      await failed([hook]);
      await wait('2 days');
      const [second] = await take();
      assert.deepEqual(second?.ids, hook.ids);
      await failed([hook]);
      await wait('1 day');
      assert.deepEqual(await take(), [], 'given up without another try');
      const lasting = await rows('failed_at is not null as failed, char_length(reason) as length');
      assert.deepEqual(lasting, [
        { failed: true, length: 300 },
        { failed: true, length: '451 try later'.length },
      ]);
    });

    test('a message that could not be tried for three days is tried all the same', async () => {
      await submit(stage, { messages: TO_OWNER });
      await wait('4 days');
      const deliveries = await take();
      assert.equal(deliveries.length, 2);
      await failed(deliveries);
      assert.equal((await status()).failed, 2);
    });

    test('a message whose lease ended again and again is given up after three days', async () => {
      for (const target of [MAIL, HOOK]) {
        await submit(stage, { messages: [{ kind: 'offer', target }] });
        await take();
        await wait('3 days');
        assert.deepEqual(await take(), []);
        assert.equal(((await status()).failures as Row[])[0]?.reason, 'The delivery did not end.');
      }
      assert.equal((await status()).failed, 2);
      // At once: none of them is leased.
      assert.equal(await stage.value(ADMINISTRATOR, 'select public.retry_messages()'), 2);
    });

    test('at the start everything queued is tried once more, leased and old messages too', async () => {
      await submit(stage, { messages: TO_OWNER });
      const [first, second] = (await acquire()) as [Delivery, Delivery];
      assert.ok(second);
      await begin(first);
      await failed([first]);
      await wait('4 days');
      await stage.as(OWNER, `update private.messages set due_at = now() + interval '1 hour'`);
      await call('make_messages_due()');
      assert.equal((await take()).length, 2);
      assert.deepEqual(await take(), []);
    });

    test('an offer that is pending after 20 hours raises one message for each target', async () => {
      await oldOffers('21 hours', { announced: true });
      await oldOffers('19 hours', { announced: true });
      await oldOffers('21 hours', { announced: true, held: true });
      await oldOffers('22 hours', { announced: true });
      await stage.as(
        ADMINISTRATOR,
        `update public.offers set status = 'accepted' where created_at < now() - interval '21.5 hours'`,
      );
      assert.equal(await call('queue_overdue($1)', [MAIL, HOOK]), 2);
      assert.equal(await call('queue_overdue($1)', [MAIL, HOOK]), 0);
      const deliveries = await take();
      assert.deepEqual(
        deliveries.map(({ kind, target, batch, offers }) => [kind, target, batch, offers.length]).sort(),
        [
          ['overdue', HOOK, null, 1],
          ['overdue', MAIL, null, 1],
        ],
      );
      assert.equal(await call('queue_overdue($1)', [MAIL, HOOK, 'https://third.example']), 1);
    });

    test('with replyWithin an offer is overdue after 5/6 of that time', async () => {
      for (const [replyWithin, early, late] of [
        ['3 days', '59 hours', '61 hours'],
        ['1 hour', '49 minutes', '51 minutes'],
      ]) {
        await publish(stage, [{ name: 'lap.app' }], { settings: { replyWithin } });
        await oldOffers(early ?? '', { announced: true });
        assert.equal(await call('queue_overdue($1)', [MAIL]), 0, replyWithin);
        await oldOffers(late ?? '', { announced: true });
        assert.equal(await call('queue_overdue($1)', [MAIL]), 1, replyWithin);
        await stage.as(ADMINISTRATOR, `update public.offers set status = 'accepted'`);
      }
      await publish(stage, [{ name: 'lap.app', price: '$10,000' }, { name: 'host.example' }]);
    });

    test('overdue offers from before messages were configured are one summary, however many', async () => {
      await oldOffers('3 days', { count: 450 });
      await oldOffers('21 hours', { announced: true });
      assert.equal(await call('queue_overdue($1)', [MAIL]), 451);
      const deliveries = (await take()).toSorted((a, b) => a.ids.length - b.ids.length);
      assert.deepEqual(
        deliveries.map(({ ids, offers, batch }) => [ids.length, offers.length, batch !== null]),
        [
          [1, 1, false],
          [450, 200, true],
        ],
      );
      const listed = deliveries[1]?.offers.map(({ offer_amount }) => Number(offer_amount));
      assert.deepEqual([listed?.[0], listed?.at(-1)], [1, 200], 'the oldest ones');
      await sent(deliveries);
      assert.equal(await call('queue_overdue($1)', [MAIL]), 0);
      assert.equal((await status()).sent, 451);
    });

    test('looking for overdue offers takes milliseconds where thousands had their alarm', async () => {
      await oldOffers('3 days', { count: 5_000 });
      assert.equal(await call('queue_overdue($1)', [MAIL]), 5_000);
      await sent(await take());
      const times: number[] = [];
      for (let time = 0; time < 3; time += 1) {
        const start = performance.now();
        assert.equal(await call('queue_overdue($1)', [MAIL]), 0);
        times.push(performance.now() - start);
      }
      // The others may have waited for other processes.
      assert.ok(Math.min(...times) < 1_000, `${times} ms`);
    });

    test('more than twenty overdue offers at once are a digest beyond the first twenty', async () => {
      await oldOffers('21 hours', { count: 30, announced: true });
      for (const targets of [[MAIL], [MAIL, HOOK]]) await call('queue_overdue($1)', targets);
      const queued = await stage.as(
        OWNER,
        `select m.target, m.digest, min(o.offer_amount::integer) as first, max(o.offer_amount::integer) as last
         from private.messages m join public.offers o on o.id = m.offer_id where m.kind = 'overdue'
         group by m.target, m.digest order by m.target, m.digest`,
      );
      assert.deepEqual(
        queued,
        [HOOK, MAIL].flatMap((target) => [
          { target, digest: false, first: 1, last: 20 },
          { target, digest: true, first: 21, last: 30 },
        ]),
        'the oldest ones at once, of each target',
      );
      await submit(stage, { messages: TO_OWNER });
      const [row] = await rows(`digest, kind`).then((all) =>
        all.filter(({ kind }) => kind === 'offer').slice(-1),
      );
      assert.equal(row?.digest, false, 'a new offer is none of them');
      await wait('10 minutes');
      await offers(20, { messages: TO_OWNER.slice(0, 1) });
      await oldOffers('21 hours', { announced: true });
      await call('queue_overdue($1)', [MAIL]);
      const later = (await rows('kind, digest')).filter(({ kind }) => kind === 'overdue').at(-1);
      assert.equal(later?.digest, false, 'nor is one ten minutes later, whatever new offers came');
    });

    test('after a pause nothing older is taken or raises an alarm until it is resumed', async () => {
      const confirmation = { kind: 'confirmation', target: 'mailto:ada@x.example' };
      await submit(stage, { messages: [...TO_OWNER, confirmation] });
      await oldOffers('21 hours');
      await stage.as(OWNER, 'select public.pause_messages()');
      await wait('1 second');
      assert.equal(await call('queue_overdue($1)', [MAIL]), 0);
      await call('make_messages_due()');
      assert.deepEqual(await take(), []);
      assert.equal(await retry(), 0);
      const { queued, paused, oldest_queued_at } = await status();
      assert.deepEqual(
        { queued, paused, oldest_queued_at },
        { queued: 0, paused: 3, oldest_queued_at: null },
      );
      await submit(stage, { messages: [{ kind: 'offer', target: MAIL }] });
      assert.equal((await take()).length, 1, 'what is new is sent');
      assert.equal(await call('resume_messages()'), 3);
      assert.equal((await take()).length, 3);
      assert.equal(await call('queue_overdue($1)', [MAIL]), 1);
    });

    test('after a pause a digest has no offer from before', async () => {
      const held = () => submit(stage, { limits: { shared: [limitOf(0)] }, messages: TO_OWNER.slice(0, 1) });
      await held();
      await stage.as(OWNER, 'select public.pause_messages()');
      const { id } = await held();
      await stage.as(OWNER, 'update private.messages set due_at = now()');
      assert.deepEqual(
        (await take()).map(({ offers }) => offers.map((offer) => offer.id)),
        [[id]],
      );
    });

    test('Retry leaves a digest its time', async () => {
      await submit(stage, { limits: { shared: [limitOf(0)] }, messages: TO_OWNER });
      assert.equal(await retry(), 0);
      assert.deepEqual(await take(), []);
    });

    test('the status counts messages and shows a failure from the first try until it is sent, and no target', async () => {
      await call('report_delivery(1, 2)');
      const quiet = { mail: 1, webhooks: 2, queued: 0, failed: 0, sent: 0, paused: 0 };
      const none = {
        oldest_queued_at: null,
        last_sent_at: null,
        last_failure: null,
        failures: [],
        rejected_confirmations: [],
        problems: [],
      };
      assert.deepEqual(await status(), { ...quiet, ...none });
      await submit(stage, { messages: TO_OWNER });
      const [first, second] = (await take()).toSorted((a, b) => (a.target < b.target ? -1 : 1)) as [
        Delivery,
        Delivery,
      ];
      await failed([first], false, '500 Internal Server Error');
      const shown = await status();
      assert.doesNotMatch(JSON.stringify(shown), /example\.org/);
      const { last_failure, oldest_queued_at, ...counts } = shown;
      assert.deepEqual(counts, {
        ...quiet,
        queued: 2,
        last_sent_at: null,
        failures: [],
        rejected_confirmations: [],
        problems: [],
      });
      assert.ok(oldest_queued_at);
      const { at, retry_at, ...failure } = last_failure as Row;
      assert.ok(Date.parse(String(retry_at)) - Date.parse(String(at)) === 10_000);
      assert.deepEqual(failure, { reason: '500 Internal Server Error', target_kind: 'webhook' });
      await wait('1 second');
      await failed([second], true, '550 no');
      const both = await status();
      assert.equal((both.last_failure as Row).reason, '500 Internal Server Error');
      const [{ at: _, ...last } = {}, ...others] = both.failures as Row[];
      const delivery = { id: second.ids[0], kind: 'offer', domain: 'lap.app', offers: 1 };
      assert.deepEqual(last, { ...delivery, reason: '550 no', target_kind: 'mail' });
      assert.deepEqual(others, []);
      await sent([second]);
      assert.deepEqual((await status()).failures, []);
      await sent([first]);
      assert.deepEqual(await rows('failed_at, reason'), Array(2).fill({ failed_at: null, reason: null }));
      const { last_sent_at, ...rest } = await status();
      assert.ok(last_sent_at);
      assert.deepEqual(rest, {
        ...quiet,
        sent: 2,
        oldest_queued_at: null,
        last_failure: null,
        failures: [],
        rejected_confirmations: [],
        problems: [],
      });
    });

    test('a message that waits for the time of its digest is not on the way, until it was tried', async () => {
      const held = { limits: { shared: [limitOf(1)] } };
      await submit(stage, held);
      await submit(stage, { ...held, messages: TO_OWNER });
      const counts = async () => {
        const { queued, oldest_queued_at } = await status();
        return [queued, oldest_queued_at !== null];
      };
      assert.deepEqual(await counts(), [0, false]);
      await wait('10 minutes');
      assert.deepEqual(await counts(), [2, true]);
      await failed(await take());
      assert.deepEqual(await counts(), [2, true]);
    });

    test('an administrator’s retry makes failed messages due for three more days, except those under way', async () => {
      await submit(stage, { messages: TO_OWNER });
      const deliveries = await take();
      await failed(deliveries.slice(0, 1), true);
      await wait('4 days');
      await stage.as(
        OWNER,
        `update private.messages set leased_until = now() + interval '1 minute', due_at = now() + interval '1 minute' where failed_at is null`,
      );
      assert.equal(await retry(), 1);
      const [again, ...more] = await take();
      assert.deepEqual(again?.ids, deliveries[0]?.ids);
      assert.deepEqual(more, []);
      await failed([again as Delivery]);
      const { queued, failed: lost } = await status();
      assert.deepEqual({ queued, lost }, { queued: 2, lost: 0 });
    });

    test('what waits and what failed is counted for the owner’s commands, without what was dismissed', async () => {
      const toMail = { messages: [{ kind: 'offer', target: MAIL }] };
      const state = async () => {
        const {
          queued,
          paused,
          failed: lost,
          wait_seconds,
          reason,
        } = (await call('read_message_state()')) as Row;
        return [queued, paused, lost, Math.floor(Number(wait_seconds) / 60), reason];
      };
      await submit(stage, { limits: { shared: [limitOf(0)] }, ...toMail });
      await wait('5 minutes');
      await offers(2, toMail);
      await wait('1 minute');
      assert.deepEqual(await state(), [3, 0, 0, 1, null], 'a digest waits for its time');
      const [first, second] = (await take()).filter(({ batch }) => batch === null) as [Delivery, Delivery];
      await failed([first], true, '550 first');
      await wait('1 second');
      await failed([second], true, '550 second');
      assert.deepEqual(await state(), [1, 0, 2, 0, '550 second']);
      await stage.value(ADMINISTRATOR, 'select public.dismiss_message($1)', [second.ids[0]]);
      await stage.as(OWNER, 'select public.pause_messages()');
      assert.deepEqual(await state(), [0, 1, 1, 0, '550 first']);
    });

    const LOGIN = {
      problem: 'The mail server mail.example does not accept the login.',
      reply: 'login 535 5.7.8',
      lasting: true,
      certain: true,
    };
    /** As a rejected sender, which a visitor's text may have caused. */
    const UNCERTAIN = { ...LOGIN, reply: 'text 550 5.7.60', certain: false };
    const DOWN = {
      ...LOGIN,
      problem: 'The mail server mail.example cannot be reached.',
      reply: 'none',
      lasting: false,
    };
    const fail = (delivery: Delivery | undefined, failure: object | null, permanent = false) =>
      call('mark_messages_failed($1, $2, $3, false, $4)', delivery?.ids, '535 5.7.8 no', permanent, failure);
    const problems = async () => {
      const { problems } = (await call('read_message_state()')) as {
        problems: { problem: string; waiting: number }[];
      };
      return problems.map(({ problem, waiting }) => [problem, waiting]);
    };
    const report = (servers: object = {}) => call('report_delivery(1, 0, $1)', servers) as Promise<Row[]>;
    const toMail = { messages: [{ kind: 'offer', target: MAIL }] };
    const toCustomer = (target: string) => ({ messages: [{ kind: 'confirmation', target }] });

    test('while a server fails one message is tried at growing pauses of at most an hour, each time another one, to the owner first', async () => {
      for (const name of ['a', 'b']) await submit(stage, toCustomer(`mailto:${name}@x.example`));
      await stage.as(
        OWNER,
        `insert into private.messages (kind, offer_id, target)
         select 'reply', max(id::text)::uuid, 'mailto:a@x.example' from public.offers`,
      );
      await offers(3, toMail);
      await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
      const all = await acquire();
      const [first, ...others] = all.filter(({ target }) => target !== HOOK);
      assert.equal(await begin(first as Delivery), true);
      await fail(first, LOGIN);
      const { at, retry_at } = (await status()).last_failure as Row;
      assert.equal(Date.parse(String(retry_at)) - Date.parse(String(at)), 10_000);
      for (const other of others) assert.equal(await begin(other), false, 'acquired, and not tried');
      await sent(all.filter(({ target }) => target === HOOK));
      assert.deepEqual(await problems(), [[LOGIN.problem, 6]]);
      const pauses: number[] = [];
      const tried: number[] = [];
      for (let time = 0; time < 12; time += 1) {
        assert.deepEqual(await take(), [], 'the others wait');
        const [row] = await stage.as(
          OWNER,
          'select extract(epoch from next_try_at - (select max(reason_at) from private.messages))::integer as pause from private.failing_servers',
        );
        pauses.push(Number(row?.pause));
        await waitForServers('1 hour');
        const [probe, ...more] = await take();
        assert.deepEqual(more, []);
        assert.equal(probe?.target, MAIL);
        tried.push(probe?.ids[0] ?? 0);
        // The process of a try that does not end is waited for.
        assert.deepEqual(await take(), []);
        await fail(probe, LOGIN);
      }
      assert.deepEqual(pauses.slice(0, 4), [10, 20, 40, 80]);
      assert.deepEqual(pauses.slice(-2), [3_600, 3_600]);
      assert.equal(new Set(tried.slice(0, 3)).size, 3);
      assert.deepEqual(tried.slice(0, 3), tried.slice(3, 6));
      assert.equal((await status()).failed, 0);
    });

    test('a server that fails again after it worked is tried after 10 seconds, as the first time', async () => {
      const failFor = async (times: number) => {
        await submit(stage, toMail);
        for (let time = 0; time < times; time += 1) {
          await waitForServers('1 day');
          const [probe] = await take();
          await fail(probe, LOGIN);
        }
        const { at, retry_at } = (await status()).last_failure as Row;
        return Date.parse(String(retry_at)) - Date.parse(String(at));
      };
      assert.equal(await failFor(3), 40_000);
      await waitForServers('1 day');
      await sent(await take());
      assert.equal((await report()).length, 1, 'it is still known to have failed');
      assert.equal(await failFor(1), 10_000);
    });

    test('messages that wait for a server are not given up, and the first that gets through makes all due', async () => {
      await offers(4, toMail);
      const deliveries = await take();
      await fail(deliveries[0], null);
      await fail(deliveries[1], LOGIN);
      await fail(deliveries[2], LOGIN);
      for (let day = 0; day < 8; day += 1) {
        await wait('1 day');
        await waitForServers('1 day');
        const [probe] = await take();
        await fail(probe, LOGIN);
      }
      assert.equal((await status()).failed, 0);
      await waitForServers('1 hour');
      const [probe] = await take();
      await submit(stage, { limits: { shared: [limitOf(0)] }, ...toMail });
      await call('mark_recovery_reported($1)', 'mailto:');
      assert.equal((await problems()).length, 1, 'it does not work yet');
      await sent([probe as Delivery]);
      assert.deepEqual(await problems(), []);
      const others = await take();
      assert.equal(others.length, 3, 'the digest keeps its time');
      await sent(others);
      const [recovery, ...more] = await report();
      const { since, ...rest } = recovery ?? {};
      assert.deepEqual([rest, more], [{ server: 'mailto:', problem: LOGIN.problem, waited: 4 }, []]);
      assert.ok(Date.parse(String(since)) < Date.now() - 8 * 86_400_000);
      await stage.as(OWNER, `update private.failing_servers set recovered_at = now() - interval '23 hours'`);
      assert.equal((await report()).length, 1, 'until it was sent');
      await call('mark_recovery_reported($1)', 'mailto:');
      assert.deepEqual(await report(), []);
      assert.deepEqual(await problems(), []);
    });

    test('that a webhook works again is reported once mail does, whether it is still configured, unless it fails again', async () => {
      const mailOnly = { 'mailto:': 'one' };
      const working = async (servers: object) => (await report(servers)).map(({ server }) => server);
      await report({ ...mailOnly, [HOOK]: 'one' });
      await offers(2, { messages: TO_OWNER });
      const deliveries = await take();
      const toHook = deliveries.filter(({ target }) => target === HOOK);
      await fail(toHook[0], LOGIN);
      await fail(
        deliveries.find(({ target }) => target === MAIL),
        LOGIN,
      );
      await sent(toHook.slice(1));
      assert.deepEqual(await working({ ...mailOnly, [HOOK]: 'one' }), []);
      assert.deepEqual(await working(mailOnly), []);
      await waitForServers('1 hour');
      const [again, probe] = (await take()).toSorted((one, other) => (one.target < other.target ? -1 : 1));
      await sent([probe as Delivery]);
      assert.deepEqual(await working(mailOnly), [HOOK, 'mailto:']);
      await fail(again, { ...LOGIN, certain: false });
      assert.deepEqual(await working(mailOnly), ['mailto:']);
      await call('mark_recovery_reported($1)', HOOK);
      assert.deepEqual(await working(mailOnly), ['mailto:']);
      await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
      const targets = (await take()).map(({ target }) => target);
      assert.ok(targets.includes(HOOK), 'that it failed before counts no more');
    });

    test('changed settings and Retry make what waits for a server due, a start tries one message', async () => {
      const servers = { 'mailto:': 'one', [HOOK]: 'one' };
      await report(servers);
      await offers(3, toMail);
      const failAll = async () => {
        const taken = await take();
        for (const delivery of taken) await fail(delivery, LOGIN);
        assert.deepEqual(await take(), []);
        return taken.length;
      };
      assert.equal(await failAll(), 3);
      await call('make_messages_due()');
      await report(servers);
      assert.equal(await failAll(), 1);
      await report({ ...servers, [HOOK]: 'two' });
      assert.equal(await failAll(), 0);
      await report({ ...servers, 'mailto:': 'two' });
      assert.equal(await failAll(), 3);
      assert.equal(await retry(), 3);
      assert.equal((await problems()).length, 1, 'it is not known to work');
      assert.equal(await failAll(), 3);
      // Without mail no mail server fails.
      await report({ [HOOK]: 'two' });
      assert.deepEqual(await problems(), []);
    });

    test('what waits for a webhook that is gone goes to the URL that takes its place', async () => {
      const next = 'https://hooks.example.org/next';
      await report({ [HOOK]: 'one' });
      await offers(2, { messages: [{ kind: 'offer', target: HOOK }] });
      const [first, second] = await take();
      await fail(first, { ...LOGIN, reply: 'HTTP 404' });
      assert.equal(second?.target, HOOK);
      await fail(second, { ...LOGIN, reply: 'HTTP 404' });
      await submit(stage, toMail);
      await report({ [next]: 'one' });
      assert.deepEqual((await take()).map(({ target }) => target).sort(), [next, next, MAIL]);
      assert.deepEqual(await problems(), []);
    });

    for (const [what, servers] of [
      [
        'none of two new URLs',
        { 'https://hooks.example.org/next': 'one', 'https://hooks.example.org/other': 'one' },
      ],
      ['no mail server, which is no address', { 'mailto:': 'one' }],
      ['no new URL beside its own', { [HOOK]: 'two', 'https://hooks.example.org/next': 'one' }],
    ] as const)
      test(`what waits for a webhook that is gone or changed goes to ${what}`, async () => {
        await report({ [HOOK]: 'one' });
        await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
        const [delivery] = await take();
        await fail(delivery, { ...LOGIN, reply: 'HTTP 404' });
        await report(servers);
        assert.deepEqual(await rows('target'), [{ target: HOOK }]);
      });

    test('what waits for a webhook whose settings change stays there, also beside a new one', async () => {
      await report({ [HOOK]: 'one' });
      await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
      const [delivery] = await take();
      await fail(delivery, { ...LOGIN, reply: 'HTTP 404' });
      await report({ [HOOK]: 'other', 'https://hooks.example.org/next': 'one' });
      assert.deepEqual(await rows('target'), [{ target: HOOK }]);
    });

    test('what waits for a webhook that is gone does not go to a URL that had it before', async () => {
      const next = 'https://hooks.example.org/next';
      await report({ [HOOK]: 'one', [next]: 'one' });
      await submit(stage, { messages: [HOOK, next].map((target) => ({ kind: 'offer', target })) });
      const deliveries = await take();
      await sent(deliveries.filter(({ target }) => target === next));
      const toGone = deliveries.find(({ target }) => target === HOOK);
      await fail(toGone, { ...LOGIN, reply: 'HTTP 404' });
      // About a later move, which that one had nothing of.
      await stage.as(
        OWNER,
        `insert into private.messages (kind, offer_id, target, move_number)
         select kind, offer_id, target, 2 from private.messages where target = $1`,
        [HOOK],
      );
      // And of another kind, and about another offer.
      await stage.as(
        OWNER,
        `insert into private.messages (kind, offer_id, target)
         select 'overdue', offer_id, target from private.messages where target = $1 and move_number = 0`,
        [HOOK],
      );
      await submit(stage, { messages: [{ kind: 'offer', target: HOOK }] });
      await report({ [HOOK]: 'one' });
      await report({ [next]: 'one' });
      assert.deepEqual(await rows('target, move_number'), [
        { target: HOOK, move_number: 0 },
        { target: next, move_number: 0 },
        { target: next, move_number: 2 },
        { target: next, move_number: 0 },
        { target: next, move_number: 0 },
      ]);
    });

    test('after a pause a server that fails is tried with what is newer', async () => {
      await submit(stage, toMail);
      const [old] = await take();
      await fail(old, LOGIN);
      await stage.as(OWNER, 'select public.pause_messages()');
      await wait('1 second');
      const { id } = await submit(stage, {
        messages: [{ kind: 'confirmation', target: 'mailto:ada@x.example' }],
      });
      await waitForServers('1 hour');
      assert.deepEqual(
        (await take()).map(({ offers: [offer] }) => offer?.id),
        [id],
      );
    });

    test('a failure that may be the fault of one message counts once two different ones had it', async () => {
      await offers(3, toMail);
      const [first, second, third] = (await take()) as [Delivery, Delivery, Delivery];
      await fail(first, UNCERTAIN);
      await fail(first, UNCERTAIN);
      assert.deepEqual(await problems(), [[UNCERTAIN.problem, 3]], 'it is named');
      await sent([third]);
      assert.deepEqual([await problems(), await report()], [[], []], 'another one got through');
      await submit(stage, toMail);
      await fail(first, UNCERTAIN);
      assert.equal((await take()).length, 1, 'others are tried');
      await fail(second, { ...UNCERTAIN, reply: 'text 550 5.7.26' });
      await submit(stage, toMail);
      assert.equal((await take()).length, 1, 'another reply');
      await fail(first, { ...UNCERTAIN, reply: 'text 550 5.7.26' });
      await submit(stage, toMail);
      assert.deepEqual(await take(), []);
    });

    test('a message alone that fails through its server is tried for as long as nothing else gets through', async () => {
      await submit(stage, toMail);
      for (let day = 0; day < 8; day += 1) {
        const [only] = await take();
        await fail(only, UNCERTAIN);
        await wait('1 day');
      }
      const [only] = await take();
      await wait('3 days');
      await fail(only, UNCERTAIN);
      assert.equal((await status()).failed, 0, 'its time ended during the try');
      await submit(stage, toMail);
      await sent(await take());
      await wait('4 days');
      await fail(only, UNCERTAIN);
      assert.equal((await status()).failed, 1, 'others got through: it was the fault of this one');
    });

    test('a message that fails by itself while its server is tried lets the next one be tried at once', async () => {
      await submit(stage, toCustomer('mailto:a@x.example'));
      await offers(2, toMail);
      const [first] = await take(1);
      await fail(first, LOGIN);
      await waitForServers('10 seconds');
      const [poisoned] = await take();
      await fail(poisoned, null, true);
      const [next, ...more] = await take();
      assert.deepEqual([next?.target, more], [MAIL, []]);
      assert.notDeepEqual(next?.ids, poisoned?.ids);
    });

    test('of two servers that fail each keeps its own problem, pause and end, and another one has none of it', async () => {
      const other = 'https://other.example';
      await offers(2, { messages: [...TO_OWNER, { kind: 'offer', target: other }] });
      const all = await acquire();
      const [toHook, toMailbox, toOther] = [HOOK, MAIL, other].map(
        (server) => all.find(({ target }) => target === server) as Delivery,
      ) as [Delivery, Delivery, Delivery];
      const setPause = (server: string, time: string) =>
        stage.as(
          OWNER,
          'update private.failing_servers set next_try_at = now() + $2::interval where server = $1',
          [server, time],
        );
      const minutes = async () => {
        const found = await stage.as(
          OWNER,
          'select server, ceil(extract(epoch from next_try_at - now()) / 60)::integer as minutes from private.failing_servers',
        );
        return Object.fromEntries(found.map((row) => [row.server, row.minutes]));
      };
      await begin(toHook);
      await fail(toHook, LOGIN);
      await setPause(HOOK, '1 hour');
      for (const delivery of [toMailbox, toOther])
        assert.equal(await begin(delivery), true, 'acquired for another server');
      await failed([toOther]);
      const { at, retry_at } = (await status()).last_failure as Row;
      assert.equal(Date.parse(String(retry_at)) - Date.parse(String(at)), 10_000, 'by itself');
      await stage.as(OWNER, `update private.messages set due_at = now() + interval '1 hour' where id = $1`, [
        toOther.ids[0],
      ]);
      assert.deepEqual(await minutes(), { [HOOK]: 60 });
      await fail(toMailbox, DOWN);
      assert.deepEqual(await minutes(), { [HOOK]: 60, 'mailto:': 1 });
      await setPause('mailto:', '0');
      const [probe, ...more] = await take();
      assert.deepEqual([probe?.target, more], [MAIL, []]);
      await sent([probe as Delivery]);
      assert.deepEqual(await minutes(), { [HOOK]: 60 });
      assert.deepEqual(await problems(), [[LOGIN.problem, 2]]);
      const isDue = `select due_at <= now() as due from private.messages where id = $1`;
      assert.equal(await stage.value(OWNER, isDue, [toOther.ids[0]]), false, 'it waits for its own delay');
    });

    test('what fails with another reply while its server fails for certain is not given up', async () => {
      await offers(2, toMail);
      const [first, second] = await take();
      await fail(first, LOGIN);
      await wait('4 days');
      await fail(second, UNCERTAIN);
      assert.equal((await status()).failed, 0);
    });

    test('a message under way stays with its process, whatever becomes of its server', async () => {
      await offers(3, toMail);
      const [first, second] = (await take()) as [Delivery, Delivery];
      assert.equal(await begin(second), false, 'its try has begun');
      await stage.as(OWNER, "update private.messages set give_up_at = now() + interval '1 day'");
      await fail(first, LOGIN);
      await waitForServers('10 seconds');
      const [probe] = (await take()) as [Delivery];
      assert.deepEqual(probe.ids, first.ids);
      await sent([probe]);
      assert.deepEqual(await take(), [], 'the others are being sent');
    });

    test('what waited for a server has three more days where its settings were changed after a long stop', async () => {
      await report({ 'mailto:': 'one' });
      await submit(stage, toMail);
      const [only] = await take();
      await fail(only, LOGIN);
      await wait('4 days');
      await call('make_messages_due()');
      await report({ 'mailto:': 'two' });
      await failed(await take());
      await wait('2 days');
      assert.equal((await take()).length, 1);
      assert.equal((await status()).failed, 0);
    });

    test('a server that is down is reported after ten minutes, and its end too', async () => {
      await submit(stage, toMail);
      for (const [time, count] of [
        ['1 minute', 0],
        ['11 minutes', 1],
      ] as const) {
        const [delivery] = await take();
        await fail(delivery, DOWN);
        await waitForServers(time);
        assert.equal((await problems()).length, count, time);
        await stage.as(OWNER, 'update private.failing_servers set next_try_at = now()');
        await sent(await take());
        assert.equal((await report()).length, count, time);
        await submit(stage, toMail);
      }
      await stage.as(
        OWNER,
        `update private.failing_servers set recovered_at = now() - interval '24 hours 1 second'`,
      );
      assert.deepEqual(await report(), [], 'no longer than a day');
      const [delivery] = await take();
      await fail(delivery, DOWN);
      const pause =
        'select max(least(extract(epoch from next_try_at - now()), 9999))::integer as pause from private.failing_servers';
      for (let time = 0; time < 9; time += 1) {
        await waitForServers('1 hour');
        const [again] = await take();
        await fail(again, DOWN);
      }
      assert.deepEqual(await stage.as(OWNER, pause), [{ pause: 300 }]);
    });

    test('a confirmation that waited for 23 hours is sent', async () => {
      await submit(stage, toCustomer('mailto:a@x.example'));
      const [first] = await take();
      await fail(first, LOGIN);
      await wait('23 hours');
      await waitForServers('23 hours');
      const [again] = await take();
      assert.equal(again?.target, 'mailto:a@x.example');
    });

    test('confirmations older than 24 hours are dropped, and are no fault', async () => {
      const { id } = await submit(stage, toCustomer('mailto:a@x.example'));
      const [first] = await take();
      await fail(first, LOGIN);
      await wait('24 hours');
      await waitForServers('24 hours');
      await submit(stage, toMail);
      const [probe, ...more] = await take();
      assert.deepEqual([probe?.target, more], [MAIL, []]);
      await sent([probe as Delivery]);
      assert.deepEqual([await take(), await retry()], [[], 0]);
      const { queued, failed: count, failures } = await status();
      assert.deepEqual({ queued, count, failures }, { queued: 0, count: 0, failures: [] });
      assert.ok(id);
    });

    test('a message whose try ended the process is tried after its own growing delay, and the others at once', async () => {
      await offers(3, toMail);
      const pauses: unknown[] = [];
      for (let time = 0; time < 4; time += 1) {
        const [culprit, ...others] = await acquire();
        assert.equal(others.length, 2);
        await begin(culprit as Delivery);
        await call('make_messages_due()');
        const culprits = `select round(extract(epoch from due_at - now()))::integer as pause from private.messages where due_at > now()`;
        pauses.push((await stage.as(OWNER, culprits))[0]?.pause);
        assert.equal((await acquire()).length, 2);
        await stage.as(
          OWNER,
          'update private.messages set due_at = now() - id * interval $$1 second$$, leased_until = null',
        );
        await stage.as(
          OWNER,
          'update private.messages set due_at = due_at - $$1 hour$$::interval where attempts > 0',
        );
      }
      assert.deepEqual(pauses, [10, 20, 40, 80]);
    });

    test('with one poisoned message and 50 confirmations to rejected addresses the owner’s next mail leaves within a minute', async () => {
      const rejection = (code: number, text: string) =>
        Object.assign(new Error(text), { responseCode: code });
      const callDatabase = checkResults(async (name, args: Record<string, unknown>) => {
        const named = Object.keys(args).map((key, index) => `${key} => $${index + 1}`);
        const statement = `select public.${name}(${named.join()})`;
        const value = await stage.value(FUNCTIONS, statement, Object.values(args));
        return value === '' ? null : value;
      });
      for (const poison of [
        undefined,
        rejection(421, '4.7.0 closing'),
        rejection(550, '5.7.60 not your sender'),
        rejection(554, '5.7.1 spam'),
      ]) {
        await using smtp = await startSmtpServer({
          disabledCommands: ['STARTTLS'],
          onRcptTo: ({ address }, _, callback) =>
            callback(address.endsWith('@gone.example') ? rejection(550, '5.1.1 no such user') : undefined),
          onData: (stream, session, callback) => {
            smtp.receive(stream, session).then(({ raw }) => {
              if (!raw.includes('poisoned')) return callback();
              return poison ? callback(poison) : smtp.drop(session);
            }, callback);
          },
        });
        const messages: MessageSettings = {
          mail: { ...MAIL_SETTINGS, server: smtp.server, to: ['owner@example.org'] },
          webhooks: { urls: [], secret: undefined },
          siteUrl: undefined,
        };
        const send = createSend({
          messages,
          readSite: async () => ({ siteUrl: 'https://x.example', language: 'en' }),
        });
        await submit(stage, { ...toMail, message: 'poisoned' });
        for (let n = 0; n < 50; n += 1)
          await submit(stage, toCustomer(`mailto:${n}-${randomUUID()}@gone.example`));
        const { id } = await submit(stage, toMail);
        const isSent = () => smtp.mails.some(({ parsed }) => parsed.text?.includes(`#offer=${id}`));
        let seconds = 0;
        for (; !isSent() && seconds < 60; seconds += 10) {
          await deliverMessages({ callDatabase, send });
          await wait('10 seconds');
          await waitForServers('10 seconds');
        }
        assert.ok(isSent(), `not sent within a minute beside ${poison?.message ?? 'a dropped connection'}`);
        await reset();
      }
    });

    test('of two deliveries at once one has all rows of a digest', {
      skip: !choice.isConcurrent,
    }, async () => {
      await roomInWindow(20, TEN_MINUTES);
      await offers(40, toMail);
      await stage.as(OWNER, 'update private.messages set sent_at = now() where not digest');
      await wait('10 minutes');
      const acquired = 'select public.acquire_messages(100, 60) as deliveries';
      const first = await stage.begin?.(FUNCTIONS, acquired);
      assert.ok(first);
      let isDone = false;
      const second = stage.as(FUNCTIONS, acquired).finally(() => {
        isDone = true;
      });
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while (!isDone && (await stage.as(OWNER, waiting)).length === 0);
      const waited = !isDone;
      await first.commit();
      assert.ok(waited, 'the second one waits');
      const results = [...first.rows, ...(await second)] as { deliveries: Delivery[] }[];
      assert.deepEqual(
        results.map(({ deliveries }) => deliveries.map(({ ids }) => ids.length)),
        [[20], []],
      );
    });

    const isFault = async () => {
      const { failed: count, failures, last_failure } = await status();
      const state = (await call('read_message_state()')) as Row;
      return (
        Number(count) + Number(state.failed) > 0 || (failures as Row[]).length > 0 || last_failure !== null
      );
    };

    test('a confirmation whose address the server rejects is a mark at its offer, and no fault', async () => {
      const target = 'mailto:typo@x.example';
      const { id } = await submit(stage, { messages: [{ kind: 'confirmation', target }] });
      const messageOf = () => stage.value(ADMINISTRATOR, 'select public.offer_message($1)', [id]);
      await failed(await take(), false, '450 no such domain', true);
      assert.equal(await isFault(), false);
      assert.deepEqual((await status()).rejected_confirmations, []);
      assert.deepEqual(await messageOf(), { message: null, confirmation_rejected: null });
      await wait('1 minute');
      await failed(await take(), true, '550 no such user', true);
      assert.equal(await isFault(), false);
      assert.deepEqual((await status()).rejected_confirmations, [id]);
      assert.deepEqual(await messageOf(), { message: null, confirmation_rejected: '550 no such user' });
      assert.equal(await retry(), 0);
      const { id: other } = await submit(stage);
      const ofOther = await stage.value(ADMINISTRATOR, 'select public.offer_message($1)', [other]);
      assert.deepEqual(ofOther, { message: null, confirmation_rejected: null });
    });

    test('a confirmation that fails for another reason, and the owner’s address, stay a fault', async () => {
      await submit(stage, { messages: [{ kind: 'confirmation', target: 'mailto:a@x.example' }] });
      await failed(await take(), true, '535 wrong password');
      assert.equal(((await status()).failures as Row[])[0]?.kind, 'confirmation');
      await submit(stage, { messages: [{ kind: 'offer', target: MAIL }] });
      await failed(await take(), true, '550 no such user', true);
      assert.equal((await status()).failed, 2);
      assert.deepEqual((await status()).rejected_confirmations, []);
    });

    test('each failed delivery keeps its reason until it is dismissed', async () => {
      await offers(3, { messages: [{ kind: 'offer', target: MAIL }] });
      const [first, second, third] = (await take()) as [Delivery, Delivery, Delivery];
      await failed([first], true, '550 first');
      await failed([second], true, '554 second');
      await failed([third], false, 'connect ECONNREFUSED');
      const dismiss = (id: unknown) => stage.value(ADMINISTRATOR, 'select public.dismiss_message($1)', [id]);
      const reasons = async () => ((await status()).failures as Row[]).map(({ reason }) => reason).sort();
      assert.deepEqual(await reasons(), ['550 first', '554 second']);
      assert.equal(((await status()).last_failure as Row).reason, 'connect ECONNREFUSED');
      assert.equal(await dismiss(third.ids[0]), 0, 'it is tried again');
      assert.equal(await dismiss(first.ids[0]), 1);
      assert.deepEqual(await reasons(), ['554 second']);
      assert.equal(await retry(), 2, 'not the dismissed one');
      const retried = await status();
      assert.deepEqual([retried.queued, retried.failed, retried.last_failure], [2, 0, null]);
    });

    test('the latest failures are listed, and all of them counted', async () => {
      await offers(11, { messages: TO_OWNER });
      await stage.as(
        OWNER,
        `update private.messages m set attempts = 1, reason = n.at, reason_at = now() - n.at * interval '1 second',
           failed_at = now() - n.at * interval '1 second'
         from (select id, row_number() over (order by id) as at from private.messages) as n where n.id = m.id`,
      );
      const { failed: count, failures } = await status();
      const reasons = (failures as Row[]).map(({ reason }) => Number(reason));
      assert.deepEqual([count, reasons], [22, Array.from({ length: 20 }, (_, at) => at + 1)]);
      const [latest, next] = await rows('offer_id').then((all) => [all[0]?.offer_id, all[2]?.offer_id]);
      await stage.as(OWNER, `update private.messages set address_rejected = reason in ('1', '3')`);
      assert.deepEqual((await status()).rejected_confirmations, [latest, next]);
      await stage.as(OWNER, 'update private.messages set failed_at = null');
      assert.equal(((await status()).last_failure as Row).reason, '2');
    });

    test('a failed digest is one entry, and dismissed as a whole', async () => {
      await offers(23, { messages: [{ kind: 'offer', target: MAIL }] });
      await stage.as(OWNER, `update private.messages set due_at = now() - interval '1 second' where digest`);
      await stage.as(OWNER, 'update private.messages set sent_at = now() where not digest');
      await failed(await take(), true, '554 no');
      const [entry, ...more] = (await status()).failures as Row[];
      assert.deepEqual([entry?.offers, more], [3, []]);
      assert.equal(await stage.value(ADMINISTRATOR, 'select public.dismiss_message($1)', [entry?.id]), 3);
      assert.equal(await isFault(), false);
    });

    test('messages are deleted 30 days after they were sent, except those of pending offers', async () => {
      const messages = TO_OWNER.slice(0, 1);
      const [pending, answered, negotiated, unsent] = [
        await submit(stage, { messages }),
        await submit(stage, { messages }),
        await submit(stage, { messages }),
        await submit(stage, { messages }),
      ];
      const deliveries = await take();
      await sent(deliveries.filter(({ offers }) => offers[0]?.id !== unsent.id));
      await failed(
        deliveries.filter(({ offers }) => offers[0]?.id === unsent.id),
        true,
      );
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'rejected' where id <> $1`, [
        pending.id,
      ]);
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'negotiating' where id = $1`, [
        negotiated.id,
      ]);
      await wait('29 days');
      await call('remove_expired()');
      assert.equal((await rows()).length, 4);
      await wait('1 day');
      await call('remove_expired()');
      const left = (await rows('offer_id')).map(({ offer_id }) => offer_id);
      assert.deepEqual(left.toSorted(), [pending.id, unsent.id].toSorted());
      assert.ok(!left.includes(answered.id));
    });

    test('erasing a customer deletes their messages and no other', async () => {
      const confirmation = (target: string) => ({ kind: 'confirmation', target });
      const email = 'Grace@example.com';
      await submit(stage, { email, messages: [...TO_OWNER, confirmation(`mailto:${email}`)] });
      // A confirmation to the same address that belongs to the offer of another customer.
      await wait('2 days');
      await submit(stage, { messages: [...TO_OWNER, confirmation(`mailto:${email}`)] });
      await submit(stage, { messages: [confirmation(`mailto:ada.${email}`)] });
      assert.equal(await call('erase_customer($1)', 'grace@EXAMPLE.com'), 1);
      assert.deepEqual(await rows('kind'), [{ kind: 'offer' }, { kind: 'offer' }, { kind: 'confirmation' }]);
    });
  });
}
