/** Moves of owner and buyer, decided by the database alone. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../tests/support/terminal.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  STRANGER,
  type Stage,
  type Submission,
  submit,
  VISITOR,
} from './cast.ts';
import { type Actor, ENGINES, type Row } from './engines.ts';

/** Pairs of moves at once for each of the three kinds of races: 334 are 1,000 in all. */
const PAIRS = Number(process.env.RACING_PAIRS ?? 8);

type Move = { kind: string; seen: number; amount?: string; price?: object; days?: number; note?: string };
const COUNTER: Move = { kind: 'counter', seen: 1, amount: '$4,300', days: 7 };
const ACCEPT: Move = { kind: 'accept', seen: 1 };

for (const choice of ENGINES) {
  describe(`negotiation on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    after(() => stage.close());

    const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
    const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
    const linkOf = (number: number, token: string) => ({
      number,
      hash: hashOf(token),
      nonce: String(number).repeat(32),
    });
    const sql = (statement: string, ...parameters: unknown[]) => stage.as(OWNER, statement, parameters);
    const value = (statement: string, ...parameters: unknown[]) => stage.value(OWNER, statement, parameters);

    /** An offer for a name of its own, unless one is given, with a link. */
    async function open(domain = `${randomUUID()}.example`, submission: Submission = {}) {
      await sql('insert into private.listings (name) values ($1) on conflict do nothing', domain);
      const email = `Ada-${randomUUID()}@example.com`;
      const { id } = await submit(stage, { domain, locale: 'de', email, ...submission });
      const token: string = randomUUID();
      const owner = async (move?: Move, link?: object, mail = false) =>
        (await stage.value(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2, $3, $4)', [
          id,
          json(move),
          json(link),
          mail,
        ])) as Row & { state: Row & { moves: Row[] } };
      const buyer = async (move?: Move, targets: string[] = [], used = token, mailLimits?: object[]) =>
        (await stage.value(FUNCTIONS, 'select public.negotiate_as_buyer($1, $2, $3, $4, $5, $6)', [
          hashOf(used),
          '[]',
          json(move),
          targets,
          mailLimits !== undefined,
          json(mailLimits ?? []),
        ])) as Row & { state: Row & { moves: Row[] } };
      await owner(undefined, linkOf(1, token));
      const status = () => value('select status from public.offers where id = $1', id);
      return { id, domain, token, owner, buyer, status };
    }

    test('goes from offer over counter to accepted, and the status follows', async () => {
      const { owner, buyer, status } = await open();
      assert.deepEqual((await owner()).state.can, ['counter', 'accept', 'decline']);
      const countered = await owner({ ...COUNTER, note: 'Escrow is fine.' });
      assert.equal(countered.outcome, 'made');
      assert.equal(await status(), 'negotiating');
      const seen = (await buyer()).state;
      assert.deepEqual([seen.seen, seen.can, seen.language], [2, ['accept', 'offer', 'withdraw'], 'de']);
      assert.equal(seen.moves[1]?.note, 'Escrow is fine.');
      assert.equal(seen.moves[1]?.by, undefined, 'the buyer does not see the administrator');
      assert.equal(countered.state.moves[1]?.by, 'owner@example.com');
      const accepted = await buyer({ kind: 'accept', seen: 2 });
      assert.deepEqual(
        [accepted.outcome, accepted.state.status, accepted.state.can],
        ['made', 'accepted', []],
      );
      assert.equal(accepted.state.moves[2]?.amount, '$4,300');
      assert.equal(await status(), 'accepted');
      assert.equal((await owner({ kind: 'take_back', seen: 3 })).state.status, 'open');
      assert.deepEqual((await buyer()).state.can, ['offer', 'withdraw'], 'the old counter is not open again');
    });

    test('each move has what was read in its amount, and an acceptance what it accepts', async () => {
      const { id, domain, owner, buyer } = await open(undefined, {
        price: { amount: '1000', currency: 'EUR' },
      });
      await sql("update private.listings set currency = 'EUR' where name = $1", domain);
      /** Of the list, and of the export. */
      const current = async () => {
        const rows = (await stage.value(ADMINISTRATOR, 'select public.standings($1)', [[id]])) as Record<
          string,
          Row
        >;
        const page = (await stage.value(FUNCTIONS, 'select public.export_offers(1000)')) as { offers: Row[] };
        const { amount, value, currency } = rows[String(id)] ?? {};
        const exported = page.offers.find((offer) => offer.id === id) ?? {};
        assert.deepEqual(
          [exported.current_amount, exported.current_value, exported.current_currency],
          [amount, value, currency],
        );
        return [amount, value, currency];
      };
      await owner({ ...COUNTER, amount: '5k', price: { amount: '5000' } });
      await buyer({ kind: 'offer', seen: 2, amount: '$4,100', price: { amount: '4100', currency: 'USD' } });
      await owner({ ...COUNTER, seen: 3, amount: 'as said' });
      assert.deepEqual(await current(), ['as said', undefined, undefined]);
      await owner({
        ...COUNTER,
        seen: 4,
        amount: '4.500,50 €',
        price: { amount: '4500.50', currency: 'EUR' },
      });
      const { moves } = (await buyer({ kind: 'accept', seen: 5 })).state;
      assert.deepEqual(
        moves.map(({ amount, value, currency }) => [amount, value, currency]),
        [
          ['1,000 € <script>', 1000, 'EUR'],
          ['5k', 5000, 'EUR'],
          ['$4,100', 4100, 'USD'],
          ['as said', undefined, undefined],
          ['4.500,50 €', 4500.5, 'EUR'],
          ['4.500,50 €', 4500.5, 'EUR'],
        ],
      );
      assert.deepEqual(await current(), ['4.500,50 €', 4500.5, 'EUR']);
    });

    test('a move sent again is one move; another one on the same state is rejected with the new state', async () => {
      const { owner, buyer } = await open();
      assert.equal((await owner(COUNTER)).outcome, 'made');
      assert.equal((await owner(COUNTER)).outcome, 'repeated');
      for (const other of [{ amount: '$1' }, { days: 14 }, { note: 'Escrow is fine.' }]) {
        assert.equal((await owner({ ...COUNTER, ...other })).outcome, 'moved', JSON.stringify(other));
      }
      const late = await buyer({ kind: 'offer', seen: 1, amount: '$5' });
      assert.deepEqual([late.outcome, late.state.seen], ['moved', 2]);
      assert.equal((await buyer({ kind: 'offer', seen: 3, amount: '$5' })).outcome, 'moved', 'never seen');
      assert.equal((await buyer({ kind: 'counter', seen: 2, amount: '$5' })).outcome, 'not_possible');
      assert.equal((await owner({ kind: 'counter', seen: 2 })).outcome, 'not_possible', 'without an amount');
      const declined = { kind: 'decline', seen: 2, note: 'Too low.' };
      assert.equal((await owner(declined)).outcome, 'made');
      assert.equal((await owner(declined)).outcome, 'repeated');
      assert.equal((await owner({ kind: 'decline', seen: 2 })).outcome, 'moved', 'without its note');
      const accepted = await open();
      await accepted.owner(ACCEPT);
      assert.equal((await accepted.buyer(ACCEPT)).outcome, 'moved', 'of the other side');
    });

    test('after the end date a counter cannot be accepted, and another offer is possible', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      await age(id, 'valid_until', '8 days');
      assert.equal((await buyer({ kind: 'accept', seen: 2 })).outcome, 'ended');
      assert.equal((await buyer({ kind: 'offer', seen: 2, amount: '$4,100' })).outcome, 'made');
    });

    test('another amount before the owner has answered leaves the status, and a withdrawal rejects', async () => {
      const { id, owner, buyer, status } = await open();
      assert.equal((await buyer({ kind: 'offer', seen: 1, amount: '$2' })).outcome, 'made');
      assert.equal(await status(), 'pending');
      assert.deepEqual((await owner()).state.can, ['counter', 'accept', 'decline']);
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'negotiating' where id = $1`, [id]);
      await buyer({ kind: 'offer', seen: 2, amount: '$3' });
      assert.equal(await status(), 'negotiating', 'set by hand');
      await buyer({ kind: 'withdraw', seen: 3 });
      assert.equal(await status(), 'rejected');
      const answered = await open();
      await answered.owner(COUNTER);
      await answered.buyer({ kind: 'offer', seen: 2, amount: '$3' });
      assert.equal(await answered.status(), 'negotiating');
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'pending' where id = $1`, [
        answered.id,
      ]);
      await answered.buyer({ kind: 'offer', seen: 3, amount: '$4' });
      assert.equal(await answered.status(), 'negotiating', 'answered, whatever was set by hand since');
    });

    test('the buyer reads until when an answer is promised, while the offer is with the owner', async () => {
      const hoursUntil = ({ state }: { state: Row & { moves: Row[] } }) =>
        (Date.parse(String(state.answer_by)) - Date.parse(String(state.moves.at(-1)?.at))) / 3_600_000;
      const { owner, buyer } = await open();
      assert.equal(hoursUntil(await buyer()), 24);
      assert.equal((await owner()).state.answer_by, undefined, 'for the buyer alone');
      await owner(COUNTER);
      assert.equal((await buyer()).state.answer_by, undefined, 'it is with the buyer');
      assert.equal(hoursUntil(await buyer({ kind: 'offer', seen: 2, amount: '$2' })), 24);
      await buyer({ kind: 'withdraw', seen: 3 });
      assert.equal((await buyer()).state.answer_by, undefined, 'it is over');
    });

    test('of a low offer no answer is promised, and a move is reported once its amount is not low', async () => {
      const domain = `${randomUUID()}.example`;
      const minimum = `insert into private.listings (name, minimum, minimum_currency) values ($1, 500, 'USD')`;
      await sql(minimum, domain);
      const price = { amount: '5', currency: 'USD' } as const;
      const targets = ['mailto:owner@example.com'];
      // Its own message, in the digest of low offers, reports no move.
      const messages = targets.map((target) => ({ kind: 'offer', target }));
      const { id, owner, buyer } = await open(domain, { price, messages });
      const reported = (offer = id) =>
        sql(
          `select move_number from private.messages where offer_id = $1 and kind = 'move' order by id`,
          offer,
        );
      assert.equal((await buyer()).state.answer_by, undefined);
      const amounts = [
        ['$6', '6'],
        ['$600', '600'],
        ['$7', '7'],
      ] as const;
      for (const [index, [amount, value]] of amounts.entries()) {
        const move = { kind: 'offer', seen: index + 1, amount, price: { amount: value, currency: 'USD' } };
        assert.equal((await buyer(move, targets)).outcome, 'made');
      }
      assert.deepEqual(
        await reported(),
        [{ move_number: 3 }, { move_number: 4 }],
        'what follows a reported one, too',
      );
      await owner({ ...COUNTER, seen: 4 });
      await buyer({ kind: 'withdraw', seen: 5 }, targets);
      assert.deepEqual(await reported(), [{ move_number: 3 }, { move_number: 4 }, { move_number: 6 }]);

      const withdrawn = await open(domain, { price });
      await withdrawn.buyer({ kind: 'withdraw', seen: 1 }, targets);
      assert.deepEqual(await reported(withdrawn.id), []);
      const answered = await open(domain, { price });
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'negotiating' where id = $1`, [
        answered.id,
      ]);
      assert.ok((await answered.buyer()).state.answer_by, 'its status was set by hand');
      await answered.buyer(
        { kind: 'offer', seen: 1, amount: '$6', price: { ...price, amount: '6' } },
        targets,
      );
      assert.deepEqual(await reported(answered.id), [{ move_number: 2 }]);
    });

    test('a note of the buyer’s is stored with each of their moves, and is part of it', async () => {
      const { owner, buyer } = await open();
      const offered = { kind: 'offer', seen: 1, amount: '$2', note: 'Our budget\n<b>ends</b> here.' };
      assert.equal((await buyer(offered)).outcome, 'made');
      assert.equal((await buyer(offered)).outcome, 'repeated');
      for (const other of [{ note: 'Another.' }, { amount: '$3' }])
        assert.equal((await buyer({ ...offered, ...other })).outcome, 'moved', JSON.stringify(other));
      assert.equal((await owner()).state.moves[1]?.note, offered.note);
      const { state } = await buyer({ kind: 'withdraw', seen: 2, note: 'We found another.' });
      assert.deepEqual(
        state.moves.map(({ note }) => note),
        [undefined, offered.note, 'We found another.'],
      );
    });

    test('a side makes at most 10 moves', async () => {
      const { owner, buyer } = await open();
      for (let seen = 1; seen < 20; seen += 2) {
        assert.equal((await buyer({ kind: 'offer', seen, amount: `$${seen}` })).outcome, 'made');
        assert.equal((await owner({ ...COUNTER, seen: seen + 1 })).outcome, 'made');
      }
      assert.equal((await buyer({ kind: 'offer', seen: 21, amount: '$21' })).outcome, 'too_many');
      assert.equal((await owner({ ...COUNTER, seen: 21 })).outcome, 'too_many');
    });

    test('an acceptance is of the last amount, also after more than nine moves', async () => {
      const { owner, buyer } = await open();
      for (let seen = 1; seen < 11; seen += 2) {
        await buyer({ kind: 'offer', seen, amount: `$${seen}` });
        await owner({ ...COUNTER, seen: seen + 1, amount: `$${100 + seen}` });
      }
      const { outcome, state } = await buyer({ kind: 'accept', seen: 11 });
      assert.deepEqual([outcome, state.moves.at(-1)?.amount], ['made', '$109']);
    });

    test('one offer for a name is accepted at a time', async () => {
      const pending = await open();
      const one = await open(pending.domain, { name: 'Grace' });
      const other = await open(one.domain);
      await one.owner(ACCEPT);
      const second = await other.owner(ACCEPT);
      assert.deepEqual([second.outcome, second.taken_by], ['taken', 'Grace']);
      await one.owner({ kind: 'take_back', seen: 2 });
      assert.equal((await other.owner(ACCEPT)).outcome, 'made');
    });

    for (const status of ['accepted', 'rejected']) {
      test(`${status} set by hand closes what is open, and leaves an offer without moves as it was`, async () => {
        const { id, owner, buyer } = await open();
        await owner(COUNTER);
        const set = (offer: unknown) =>
          stage.as(ADMINISTRATOR, 'update public.offers set status = $2 where id = $1', [offer, status]);
        await set(id);
        assert.equal((await buyer({ kind: 'accept', seen: 2 })).outcome, 'moved');
        const isAccepted = status === 'accepted';
        const { state } = await buyer();
        assert.deepEqual([state.status, state.can], [isAccepted ? 'accepted' : 'closed', []]);
        const next = isAccepted ? { kind: 'take_back', seen: 3 } : { ...COUNTER, seen: 3 };
        assert.equal((await owner(next)).outcome, 'made');
        const plain = await submit(stage);
        await set(plain.id);
        assert.equal(
          await value('select count(*)::integer from private.offer_moves where offer_id = $1', plain.id),
          0,
        );
      });
    }

    test('the owner does not accept the own counter', async () => {
      const { owner, status } = await open();
      await owner(COUNTER);
      assert.equal((await owner({ ...ACCEPT, seen: 2 })).outcome, 'not_possible');
      assert.equal(await status(), 'negotiating');
    });

    test('a counter is valid for as many days as its owner chose, or for 7', async () => {
      for (const days of [undefined, 7, 14]) {
        const { owner } = await open();
        const { at, valid_until } = (await owner({ ...COUNTER, ...(days && { days }) })).state
          .moves[1] as Row;
        const validMs = Date.parse(String(valid_until)) - Date.parse(String(at));
        assert.equal(validMs / 86_400_000, days ?? 7);
      }
    });

    test('each move has a message of its own: three counters are three mails', async () => {
      const { id, owner, buyer } = await open();
      for (const seen of [1, 2, 3]) await owner({ ...COUNTER, seen }, undefined, true);
      await buyer({ kind: 'offer', seen: 4, amount: '$4,200' }, [
        'mailto:owner@example.com',
        'https://hook.example',
      ]);
      const messages = await sql(
        'select kind, locale, move_number, target from private.messages where offer_id = $1 order by id',
        id,
      );
      assert.deepEqual(
        messages.map((one) => [one.kind, one.locale, one.move_number]),
        [
          ['reply', 'de', 2],
          ['reply', 'de', 3],
          ['reply', 'de', 4],
          ['move', 'de', 5],
          ['move', 'de', 5],
        ],
      );
      const aged = `update private.messages set created_at = created_at - interval '25 hours' where offer_id = $1`;
      await sql(aged, id);
      await owner({ ...COUNTER, seen: 5, amount: '$4,250' });
      const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
        kind: string;
        offers: { id: string; move: Row; link?: Row; current_amount?: string }[];
      }[];
      const [reported] = deliveries.filter(({ kind, offers }) => kind === 'move' && offers[0]?.id === id);
      assert.equal(reported?.offers[0]?.current_amount, '$4,200', 'up to the move, not of a later one');
      const [reply] = deliveries.filter(({ kind, offers }) => kind === 'reply' && offers[0]?.id === id);
      const { move, link } = reply?.offers[0] ?? {};
      assert.deepEqual([move?.amount, move?.by, link?.number], ['$4,300', undefined, 1]);
    });

    test('a buyer who accepts gets one mail with the link, and none for other moves', async () => {
      const { id, token, owner, buyer } = await open();
      const mailed = () =>
        sql(
          `select kind, locale, move_number, target like 'mailto:%@example.com' as is_mail from private.messages
           where offer_id = $1 and kind = 'reply'`,
          id,
        );
      await owner(COUNTER);
      await buyer({ kind: 'offer', seen: 2, amount: '$4,200' }, [], token, []);
      await owner({ ...COUNTER, seen: 3 });
      assert.deepEqual(await mailed(), []);
      for (const outcome of ['made', 'repeated']) {
        const accepted = await buyer({ kind: 'accept', seen: 4, note: 'Thanks.' }, [], token, []);
        assert.equal(accepted.outcome, outcome);
      }
      assert.deepEqual(await mailed(), [{ kind: 'reply', locale: 'de', move_number: 5, is_mail: true }]);
      const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
        offers: (Row & { move?: Row; link?: Row })[];
      }[];
      const [offer] = deliveries.flatMap(({ offers }) => offers).filter((one) => one.id === id);
      const { side, kind, amount } = offer?.move ?? {};
      assert.deepEqual([side, kind, amount, offer?.link?.number], ['buyer', 'accept', '$4,300', 1]);
      const email = await value('select customer_email from public.offers where id = $1', id);
      const customer = (await stage.value(FUNCTIONS, 'select public.read_customer($1)', [email])) as {
        mails: Row[];
      };
      assert.deepEqual(
        customer.mails.map((mail) => [mail.kind, mail.offer_id]),
        [['reply', id]],
      );
      await stage.as(FUNCTIONS, 'select public.erase_customer($1)', [email]);
      assert.deepEqual(await mailed(), []);
    });

    test('an acceptance is made without its mail where mails are off, or their limit is full', async () => {
      const limits = [{ bucket: 'reply.all', key: randomUUID().replaceAll('-', ''), max: 1, window: 86_400 }];
      const mails = async (mailLimits?: object[]) => {
        const { id, token, owner, buyer } = await open();
        await owner(COUNTER);
        assert.equal((await buyer({ kind: 'accept', seen: 2 }, [], token, mailLimits)).outcome, 'made');
        return await value(
          `select count(*)::integer from private.messages where offer_id = $1 and kind = 'reply'`,
          id,
        );
      };
      assert.equal(await mails(), 0);
      assert.equal(await mails(limits), 1);
      assert.equal(await mails(limits), 0);
      const { id } = await open();
      const { outcome } = (await stage.value(
        ADMINISTRATOR,
        'select public.negotiate_as_owner($1, $2, null, true, $3)',
        [id, json(COUNTER), json(limits)],
      )) as Row;
      assert.equal(outcome, 'mails_full');
    });

    for (const as of ['open', 'rejected'] as const)
      test(`a take-back to ${as} is mailed where the buyer had a mail`, async () => {
        const replies = (id: unknown) =>
          sql(
            `select move_number from private.messages where offer_id = $1 and kind = 'reply' order by id`,
            id,
          );
        const takeBack = { kind: 'take_back', seen: 2, as };
        const message = (kind: string) => ({
          messages: [{ kind, target: `mailto:${randomUUID()}@example.com` }],
        });
        const confirmed = await open(undefined, message('confirmation'));
        assert.equal((await confirmed.owner()).state.had_mail, true);
        const mailed = await open(undefined, message('offer'));
        assert.equal((await mailed.owner()).state.had_mail, false, 'that one went to the owner');
        assert.equal((await mailed.owner(ACCEPT, undefined, true)).state.had_mail, true);
        await mailed.owner(takeBack, undefined, true);
        assert.deepEqual(await replies(mailed.id), [{ move_number: 2 }, { move_number: 3 }]);
        const quiet = await open();
        await quiet.owner(ACCEPT);
        assert.equal((await quiet.owner(takeBack, undefined, true)).outcome, 'made');
        assert.deepEqual(await replies(quiet.id), []);
        assert.equal((await quiet.buyer()).state.had_mail, undefined, 'for the owner alone');
      });

    test('that a mail was sent is known for as long as the offer is accepted', async () => {
      const { id, owner } = await open();
      await owner(ACCEPT, undefined, true);
      await sql(`update private.messages set sent_at = now() - interval '31 days' where offer_id = $1`, id);
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.equal((await owner()).state.had_mail, true);
      await owner({ kind: 'take_back', seen: 2 });
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.equal((await owner()).state.had_mail, false);
    });

    test('a message about a move without an amount has the one that was named last', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      await buyer({ kind: 'withdraw', seen: 2 }, ['mailto:owner@example.com']);
      const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
        kind: string;
        offers: (Row & { move?: Row })[];
      }[];
      const { offers = [] } = deliveries.find(({ offers: [offer] }) => offer?.id === id) ?? {};
      const [{ current_amount, move } = {} as Row & { move?: Row }] = offers;
      assert.deepEqual([current_amount, move?.kind, move?.amount], ['$4,300', 'withdraw', undefined]);
    });

    const queue = () =>
      stage.value(FUNCTIONS, 'select public.queue_overdue($1)', [['mailto:owner@example.com']]);

    test('an end date that passes and an acceptance without news raise one message each', async () => {
      const expired = await open();
      await expired.owner(COUNTER);
      const silent = await open();
      await silent.owner(ACCEPT);
      const sold = await open();
      await sold.owner(ACCEPT);
      await queue();
      const kinds = () =>
        sql(
          `select kind from private.messages where kind in ('expired', 'silent') and offer_id = any($1) order by kind`,
          [expired.id, silent.id, sold.id],
        );
      assert.deepEqual(await kinds(), []);
      for (const days of ['6 days', '2 days']) {
        await queue();
        assert.deepEqual(await kinds(), [], 'before the seventh day');
        await age(expired.id, 'valid_until', days);
        for (const { id } of [silent, sold]) await age(id, 'created_at', days);
      }
      await sql(`update private.listings set state = 'sold' where name = $1`, sold.domain);
      // As the mail about an acceptance asks.
      await sql(`update private.listings set state = 'reserved' where name = $1`, silent.domain);
      // Left out of the catalogue.
      await sql('delete from private.listings where name = $1', expired.domain);
      await queue();
      await queue();
      assert.deepEqual(await kinds(), [{ kind: 'expired' }, { kind: 'silent' }]);
    });

    test('an end date of two weeks ago and an acceptance of three raise no message again', async () => {
      const [expired, silent] = [await open(), await open()];
      await expired.owner(COUNTER);
      await age(expired.id, 'valid_until', '21 days');
      await silent.owner(ACCEPT);
      await age(silent.id, 'created_at', '21 days');
      await queue();
      const ids = [expired.id, silent.id];
      assert.deepEqual(await sql('select kind from private.messages where offer_id = any($1)', ids), []);
    });

    test('an end date raises no message where the other side has moved since', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      await age(id, 'valid_until', '8 days');
      assert.equal((await buyer({ kind: 'offer', seen: 2, amount: '$4,100' })).outcome, 'made');
      const messages = () =>
        sql('select kind, move_number from private.messages where offer_id = $1 order by id', id);
      await queue();
      assert.deepEqual(await messages(), []);
      const expired = [];
      for (const [seen, amount] of [
        [3, '$4,200'],
        [5, '$4,150'],
      ] as const) {
        await owner({ ...COUNTER, seen, amount });
        await age(id, 'valid_until', '8 days');
        await queue();
        expired.push({ kind: 'expired', move_number: seen + 1 });
        assert.deepEqual(await messages(), expired, 'one for each counter-offer');
        await buyer({ kind: 'offer', seen: seen + 1, amount: '$4,100' });
      }
    });

    test('end dates and acceptances from before a restore raise no message', async () => {
      const [expired, silent, later] = [await open(), await open(), await open()];
      await expired.owner(COUNTER);
      await age(expired.id, 'valid_until', '8 days');
      await silent.owner(ACCEPT);
      for (const { id } of [expired, silent]) await age(id, 'created_at', '8 days');
      await sql('select public.pause_messages()');
      await later.owner(COUNTER);
      await age(later.id, 'valid_until', '8 days');
      await queue();
      const ids = [expired.id, silent.id, later.id];
      const queued = await sql('select offer_id, kind from private.messages where offer_id = any($1)', ids);
      await stage.as(FUNCTIONS, 'select public.resume_messages()');
      assert.deepEqual(queued, [{ offer_id: later.id, kind: 'expired' }]);
    });

    test('the owner neither counters nor accepts for a name that is sold', async () => {
      const { domain, owner, status } = await open();
      await sql(`update private.listings set state = 'sold' where name = $1`, domain);
      for (const move of [COUNTER, ACCEPT]) assert.equal((await owner(move)).outcome, 'not_possible');
      assert.equal(await status(), 'pending');
      assert.equal((await owner({ kind: 'decline', seen: 1 })).outcome, 'made');
    });

    test('a link opens its offer while the name is for sale, or reserved for it; new links end old ones', async () => {
      const { id, domain, token, owner, buyer } = await open();
      const state = (to: string) => sql('update private.listings set state = $1 where name = $2', to, domain);
      assert.equal((await buyer(undefined, [], `${token}0`)).outcome, 'invalid');
      for (const [to, outcome] of [
        ['sold', 'invalid'],
        ['reserved', 'invalid'],
        ['for_sale', 'read'],
      ] as const) {
        await state(to);
        assert.equal((await buyer()).outcome, outcome, to);
      }
      await owner(ACCEPT);
      await state('reserved');
      assert.equal((await buyer()).state.status, 'accepted');
      await owner(undefined, { ...linkOf(2, 'second'), replace: true });
      assert.equal((await buyer()).outcome, 'invalid');
      assert.equal((await buyer(undefined, [], 'second')).outcome, 'read');
      await sql(
        `update private.offer_links set created_at = now() - interval '91 days' where offer_id = $1`,
        id,
      );
      await age(id, 'created_at', '91 days');
      await sql(
        `update private.deals set agreed_at = agreed_at - interval '91 days' where offer_id = $1`,
        id,
      );
      assert.equal((await buyer(undefined, [], 'second')).outcome, 'invalid');
    });

    test('a new link ends no link of another offer', async () => {
      const [one, other] = [await open(), await open()];
      await one.owner(undefined, { ...linkOf(2, randomUUID()), replace: true });
      assert.equal((await one.buyer()).outcome, 'invalid');
      assert.equal((await other.buyer()).outcome, 'read');
    });

    test('a new link opens a negotiation whose last move is older than 90 days', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      await age(id, 'created_at', '91 days');
      await sql(
        `update private.offer_links set created_at = created_at - interval '91 days' where offer_id = $1`,
        id,
      );
      assert.equal((await buyer()).outcome, 'invalid');
      const token = randomUUID();
      await owner(undefined, { ...linkOf(2, token), replace: true });
      assert.equal((await buyer(undefined, [], token)).outcome, 'read');
    });

    test('before the first publication a name takes offers and moves, though no list has it', async () => {
      const domain = `${randomUUID()}.example`;
      const catalogue = await value(
        'with former as (delete from private.published_catalogue returning *) select to_jsonb(f) from former f',
      );
      try {
        const { owner, buyer } = await open(domain);
        await sql('delete from private.listings where name = $1', domain);
        assert.equal((await submit(stage, { domain })).outcome, 'stored');
        assert.equal((await owner(COUNTER)).outcome, 'made');
        assert.equal((await buyer({ kind: 'accept', seen: 2 })).outcome, 'made');
      } finally {
        await sql(
          `insert into private.published_catalogue
           select c.* from jsonb_populate_record(null::private.published_catalogue, $1) as c`,
          json(catalogue),
        );
      }
    });

    test('a move that is not made ends no link', async () => {
      const { token, owner } = await open();
      await owner(COUNTER);
      const link = { ...linkOf(2, randomUUID()), replace: true };
      const late = await owner({ ...COUNTER, amount: '$1' }, link);
      assert.deepEqual([late.outcome, late.link], ['moved', linkOf(1, token)]);
    });

    test('a buyer whose one mail failed had none', async () => {
      const { id, owner } = await open();
      const { state } = await owner(COUNTER, undefined, true);
      await sql('update private.messages set failed_at = now() where offer_id = $1', id);
      assert.deepEqual([state.had_mail, (await owner()).state.had_mail], [true, false]);
    });

    test('a link has its nonce again where its token is derived', async () => {
      const { id, token, owner } = await open();
      assert.deepEqual((await owner()).link, linkOf(1, token));
      const link = linkOf(2, randomUUID());
      assert.deepEqual((await owner(COUNTER, { ...link, replace: true }, true)).link, link);
      const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
        offers: { id: unknown; link?: Row }[];
      }[];
      const [reply] = deliveries.flatMap(({ offers }) => offers).filter((offer) => offer.id === id);
      assert.deepEqual(reply?.link, link);
    });

    /** Runs a statement, and meanwhile a move: where the engine has two connections, the move waits for the commit. */
    async function moveDuring<Result>(
      actor: Actor,
      statement: string,
      parameters: unknown[],
      move: () => Promise<Result>,
    ): Promise<Result> {
      if (!stage.begin) {
        await stage.as(actor, statement, parameters);
        return await move();
      }
      const { commit } = await stage.begin(actor, statement, parameters);
      const moving = move();
      const waiting = `select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await waitUntil(async () => (await value(waiting)) === 1, 'The move does not wait for a lock.');
      await commit();
      return await moving;
    }

    test('a move that waits while its link is replaced is neither made nor mailed', async () => {
      const { id, buyer, status } = await open();
      const link = JSON.stringify({ ...linkOf(2, randomUUID()), replace: true });
      const { outcome } = await moveDuring(
        ADMINISTRATOR,
        'select public.negotiate_as_owner($1, null, $2)',
        [id, link],
        () => buyer({ kind: 'withdraw', seen: 1 }, ['mailto:owner@example.com']),
      );
      assert.equal(outcome, 'invalid');
      assert.equal(await status(), 'pending');
      for (const table of ['offer_moves', 'messages'])
        assert.deepEqual(await sql(`select from private.${table} where offer_id = $1`, id), [], table);
    });

    test('a move that waits while its name is sold, or its offer erased, gets no state', async () => {
      for (const statement of [
        `update private.listings set state = 'sold' where name = (select domain_name from public.offers where id = $1)`,
        'select private.erase_offers(array[$1::uuid])',
      ]) {
        const { id, buyer } = await open();
        const moved = await moveDuring(OWNER, statement, [id], () => buyer({ kind: 'withdraw', seen: 1 }));
        assert.deepEqual(moved, { outcome: 'invalid' });
        assert.deepEqual(await sql('select from private.offer_moves where offer_id = $1', id), []);
      }
    });

    test('calls of unknown and dead tokens meet their limit, those of a valid one do not', async () => {
      const { token } = await open();
      const sold = await open();
      await sql(`update private.listings set state = 'sold' where name = $1`, sold.domain);
      const limits = JSON.stringify([limitOf(2)]);
      const call = async (used: string) => {
        const parameters = [hashOf(used), limits];
        return ((await stage.value(FUNCTIONS, 'select public.negotiate_as_buyer($1, $2)', parameters)) as Row)
          .outcome;
      };
      const outcomes = [];
      for (const used of ['a', sold.token, sold.token, 'b', token]) outcomes.push(await call(used));
      assert.deepEqual(outcomes, ['invalid', 'invalid', 'limited', 'limited', 'read']);
    });

    test('a limited call learns which limits are full, and the functions which links there are', async () => {
      const { token } = await open();
      const limits = JSON.stringify([limitOf(1, 'one'), limitOf(9, 'two')]);
      const call = () =>
        stage.value(FUNCTIONS, 'select public.negotiate_as_buyer($1, $2)', [hashOf('a'), limits]);
      await call();
      const { wait, full } = (await call()) as Row;
      assert.deepEqual(full, { one: wait });
      assert.ok((await hashes()).includes(hashOf(token).slice(0, 8)));
    });

    const hashes = async () => (await stage.value(FUNCTIONS, 'select public.read_link_hashes()')) as string[];

    test('the functions learn of links that open their offer alone', async () => {
      const [usual, sold, withdrawn] = [await open(), await open(), await open()];
      await sql(`update private.listings set state = 'sold' where name = $1`, sold.domain);
      await withdrawn.buyer({ kind: 'withdraw', seen: 1 });
      await age(withdrawn.id, 'created_at', '15 days');
      const old = `update private.offer_links set created_at = now() - interval '15 days' where offer_id = $1`;
      await sql(old, withdrawn.id);
      const listed = new Set(await hashes());
      const isListed = ({ token }: { token: string }) => listed.has(hashOf(token).slice(0, 8));
      assert.deepEqual([usual, sold, withdrawn].map(isListed), [true, false, false]);
    });

    test('a deal that began by hand keeps the link for 90 days', async () => {
      const { id, buyer } = await open();
      const old = `update private.offer_links set created_at = now() - interval '91 days' where offer_id = $1`;
      await sql(old, id);
      assert.equal((await buyer()).outcome, 'invalid');
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'accepted' where id = $1`, [id]);
      assert.equal((await buyer()).state.status, 'accepted');
    });

    test('no role reads or writes moves and links but through the functions', async () => {
      const { id, owner } = await open();
      await owner(COUNTER);
      for (const actor of [VISITOR, STRANGER, ADMINISTRATOR, FUNCTIONS]) {
        for (const table of ['offer_moves', 'offer_links']) {
          await stage.rejects(actor, `select from private.${table}`);
          await stage.rejects(actor, `delete from private.${table}`);
        }
        await stage.rejects(actor, `select private.make_move($1, 'owner', '{}', false, '{}', '[]')`, [id]);
      }
      await stage.rejects(OWNER, `update private.offer_moves set amount = '$1'`);
      await stage.rejects(OWNER, 'delete from private.offer_moves');
    });

    test('erasing a customer erases moves and links', async () => {
      const { id, owner } = await open();
      await owner(COUNTER);
      const email = await value('select customer_email from public.offers where id = $1', id);
      await stage.as(FUNCTIONS, 'select public.erase_customer($1)', [email]);
      for (const table of ['offer_moves', 'offer_links'])
        assert.deepEqual(await sql(`select from private.${table} where offer_id = $1`, id), []);
      assert.equal((await owner()).outcome, 'unknown');
    });

    test('of two racing moves one wins, of either side', async () => {
      const pairs = Array.from({ length: choice.isConcurrent ? PAIRS : 1 });
      const outcomesOf = (rows: Row[]) => rows.map(({ outcome }) => String(outcome)).sort();
      const negotiations: { id: unknown }[] = [];
      let made = 0;
      /** A negotiation of the race, whose moves are counted in the end. */
      const entered = async (domain?: string) => {
        const negotiation = await open(domain);
        negotiations.push(negotiation);
        return negotiation;
      };
      const isWon = (rows: Row[], loser: string) => {
        assert.deepEqual(outcomesOf(rows), ['made', loser].sort());
        made += 1;
      };
      await Promise.all(
        pairs.map(async () => {
          const { owner, buyer } = await entered();
          // Both sides of an offer.
          isWon(
            await Promise.all([owner(COUNTER), buyer({ kind: 'offer', seen: 1, amount: '$2' })]),
            'moved',
          );
          // The owner twice.
          isWon(
            await Promise.all([owner({ kind: 'decline', seen: 2 }), owner({ ...COUNTER, seen: 2 })]),
            'moved',
          );
        }),
      );
      // Two buyers of one name, the second time with a publication that sells it in between.
      const names = await Promise.all(
        pairs.map(async () => {
          const one = await entered();
          const other = await entered(one.domain);
          for (const { owner } of [one, other]) assert.equal((await owner(COUNTER)).outcome, 'made');
          made += 2;
          return { domain: one.domain, both: [one, other] };
        }),
      );
      const accept = { kind: 'accept', seen: 2 };
      const accepted = (domain: string) =>
        value(
          `select count(*)::integer from public.offers where domain_name = $1 and status = 'accepted'`,
          domain,
        );
      const listed = (state: 'sold' | 'for_sale') =>
        publish(
          stage,
          names.map(({ domain }) => ({ name: domain, state })),
        );
      await listed('for_sale');
      const racing = Promise.all(
        names.map(({ both }) => Promise.all(both.map(({ buyer }) => buyer(accept)))),
      );
      const [first] = await Promise.all([racing, listed('sold')]);
      await listed('for_sale');
      const won = first.map((rows) => rows.filter(({ outcome }) => outcome === 'made').length);
      made += won.reduce((sum, one) => sum + one, 0);
      await Promise.all(
        names.map(async ({ domain, both }, index) => {
          assert.equal(await accepted(domain), won[index]);
          if (won[index] === 0) isWon(await Promise.all(both.map(({ buyer }) => buyer(accept))), 'taken');
          assert.equal(await accepted(domain), 1);
        }),
      );
      const stored = await value(
        'select count(*)::integer from private.offer_moves where offer_id = any($1)',
        negotiations.map(({ id }) => id),
      );
      assert.equal(stored, made, 'no move is lost');
    });

    test('tokens that are none open nothing, and one of an offer no other', async () => {
      const [one, other] = [await open(), await open()];
      assert.deepEqual(
        [(await one.buyer()).state.domain, (await other.buyer()).state.domain],
        [one.domain, other.domain],
      );
      await one.buyer({ kind: 'withdraw', seen: 1 });
      assert.deepEqual([await one.status(), await other.status()], ['rejected', 'pending']);
      const opened = await stage.value(
        FUNCTIONS,
        `select count(*)::integer from generate_series(1, 1000),
           lateral public.negotiate_as_buyer(md5(random()::text) || md5(random()::text), '[]') as called
         where called <> '{"outcome": "invalid"}'`,
      );
      assert.equal(opened, 0);
    });

    test('a move made with a former link, while another window makes a new one, does not revive it', async () => {
      const { token, owner, buyer } = await open();
      await owner(undefined, { ...linkOf(2, 'new'), replace: true });
      const { link } = await owner(COUNTER, linkOf(1, token));
      assert.deepEqual(link, linkOf(2, 'new'));
      assert.equal((await buyer()).outcome, 'invalid');
      const again = await owner(undefined, { ...linkOf(2, 'of a third window'), replace: true });
      assert.deepEqual(again.link, linkOf(2, 'new'), 'of two with one number the first, which may be mailed');
      assert.equal((await buyer(undefined, [], 'new')).outcome, 'read');
    });

    test('an acceptance ends when its status is set by hand, and another offer can be accepted', async () => {
      const one = await open();
      const other = await open(one.domain);
      await one.owner(ACCEPT);
      await stage.as(ADMINISTRATOR, `update public.offers set status = 'pending' where id = $1`, [one.id]);
      assert.equal((await one.buyer()).state.status, 'closed');
      assert.equal((await other.owner(ACCEPT)).outcome, 'made');
    });

    test('past the limit of mails no move is made', async () => {
      const { id, buyer } = await open();
      const limits = JSON.stringify([limitOf(1)]);
      const make = async (offer: unknown, move: object, mail: boolean) =>
        (
          (await stage.value(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2, null, $3, $4)', [
            offer,
            json(move),
            mail,
            limits,
          ])) as Row
        ).outcome;
      const counter = (seen: number, mail: boolean) => make(id, { ...COUNTER, seen }, mail);
      assert.equal(await counter(2, true), 'moved', 'one that is not made does not count');
      assert.deepEqual([await counter(1, true), await counter(2, true)], ['made', 'mails_full']);
      const quiet = await open();
      await quiet.owner(ACCEPT);
      assert.equal(await make(quiet.id, { kind: 'take_back', seen: 2 }, true), 'made', 'which has no mail');
      assert.equal((await buyer()).state.seen, 2);
      assert.equal(await counter(2, false), 'made', 'without a mail');
    });

    test('what is stored about a customer and the export have the moves, where there are any', async () => {
      const { id, owner } = await open(undefined, { price: { amount: '1000', currency: 'EUR' } });
      const email = await value('select customer_email from public.offers where id = $1', id);
      const customer = async () =>
        (await stage.value(FUNCTIONS, 'select public.read_customer($1)', [String(email).toUpperCase()])) as {
          offers: (Row & { moves?: Row[] })[];
          mails: Row[];
        };
      const exported = async () => {
        const { offers } = (await stage.value(FUNCTIONS, 'select public.export_offers(1000)')) as {
          offers: (Row & { moves?: Row[] })[];
        };
        return offers.find((offer) => offer.id === id);
      };
      assert.ok(
        !('moves' in ((await customer()).offers[0] ?? {})) && !('moves' in ((await exported()) ?? {})),
      );
      const amount = async () => {
        const { current_amount, current_value, current_currency } = (await exported()) ?? {};
        return [current_amount, current_value, current_currency];
      };
      assert.deepEqual(await amount(), ['1,000 € <script>', 1000, 'EUR']);
      await owner(COUNTER, undefined, true);
      assert.deepEqual(await amount(), ['$4,300', undefined, undefined], 'of which nothing was read');
      // A customer whose email is a target of the owner's.
      await sql(
        `insert into private.messages (kind, offer_id, target) values ('move', $1, 'mailto:' || lower($2))`,
        id,
        email,
      );
      const { offers, mails } = await customer();
      assert.deepEqual(
        offers[0]?.moves?.map(({ kind, by }) => [kind, by]),
        [['counter', undefined]],
      );
      assert.deepEqual(
        mails.map(({ kind }) => kind),
        ['reply'],
      );
      assert.equal((await exported())?.moves?.[0]?.by, 'owner@example.com');
    });

    test('the dashboard learns of the newest move of a buyer', async () => {
      const newest = async () => {
        const { moved } = (await stage.value(ADMINISTRATOR, 'select public.new_offers(now())')) as Row;
        const counts = (await stage.value(ADMINISTRATOR, 'select public.offer_counts()')) as Row;
        assert.equal(counts.moved ?? undefined, moved);
        return moved;
      };
      const { owner, buyer } = await open();
      const before = await newest();
      await owner(COUNTER);
      assert.equal(await newest(), before);
      await buyer({ kind: 'accept', seen: 2 });
      assert.notEqual(await newest(), before);
    });

    test('moves and links go with their offer to another database', async () => {
      const { id, owner, buyer } = await open();
      const second = linkOf(2, randomUUID());
      const { link } = await owner({ ...COUNTER, note: ' two\nlines ' }, second);
      assert.deepEqual(link, second);
      const rows = async (kind: string) => {
        const page = (await stage.value(FUNCTIONS, 'select public.read_rows($1)', [kind])) as { rows: Row[] };
        return page.rows.filter((row) => row.offer_id === id);
      };
      const before = (await buyer()).state;
      const read = { moves: await rows('offer_moves'), links: await rows('offer_links') };
      const receive = (kind: string, received: Row[]) =>
        stage.value(FUNCTIONS, 'select public.receive_rows($1, $2)', [kind, json(received)]);
      const offer = await value('select to_jsonb(o) from public.offers o where id = $1', id);
      const keys = await sql('select * from private.idempotency_keys where offer_id = $1', id);
      await sql('select private.erase_offers(array[$1::uuid])', id);
      await sql('delete from private.erased_offers where offer_id = $1', id);
      assert.equal((await buyer()).outcome, 'invalid');
      await receive('offers', [offer as Row]);
      await receive('idempotency_keys', keys);
      for (const _ of ['once', 'and again']) {
        const { present } = (await receive('offer_moves', read.moves)) as Row;
        assert.equal(present, 1);
        assert.equal(((await receive('offer_links', read.links)) as Row).present, 2);
      }
      assert.deepEqual((await buyer()).state, before);
      assert.deepEqual((await owner()).link, second);
    });

    /** Moves a time of the offer's last move into the past. */
    async function age(id: unknown, column: 'valid_until' | 'created_at', by: string) {
      await sql('alter table private.offer_moves disable trigger moves_are_not_changed');
      await sql(
        `update private.offer_moves set ${column} = ${column} - $2::interval where offer_id = $1 and number = (
           select max(number) from private.offer_moves where offer_id = $1)`,
        id,
        by,
      );
      await sql('alter table private.offer_moves enable trigger moves_are_not_changed');
    }

    // Last, because `publish` removes the names that `open` adds.
    test('a publication that sells a name or leaves it out ends its links, and one that undoes this revives them', async () => {
      const { domain, owner, buyer } = await open();
      await owner(COUNTER);
      for (const [entries, outcome] of [
        [[{ name: domain, state: 'sold' }], 'invalid'],
        [[{ name: 'lap.app' }], 'invalid'],
        [[{ name: domain }], 'read'],
      ] as const) {
        await publish(stage, [...entries]);
        assert.equal((await buyer()).outcome, outcome);
      }
    });
  });
}
