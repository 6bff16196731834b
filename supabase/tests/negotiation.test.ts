/** Moves of owner and buyer, decided by the database alone. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  limitOf,
  OWNER,
  openStage,
  publish,
  STRANGER,
  type Stage,
  submit,
  VISITOR,
} from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

/** Pairs of moves at once for each kind of race; the abuse suite's full form has 1,000 in all. */
const PAIRS = Number(process.env.RACING_PAIRS ?? 8);

type Move = { kind: string; seen: number; amount?: string; days?: number; note?: string };
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
    const sql = (statement: string, ...parameters: unknown[]) => stage.as(OWNER, statement, parameters);
    const value = (statement: string, ...parameters: unknown[]) => stage.value(OWNER, statement, parameters);

    /** An offer for a name of its own, unless one is given, with a link. */
    async function open(domain = `${randomUUID()}.example`) {
      await sql('insert into private.listings (name) values ($1) on conflict do nothing', domain);
      const { id } = await submit(stage, { domain, locale: 'de', email: `${randomUUID()}@example.com` });
      const token: string = randomUUID();
      const owner = async (move?: Move, link?: object, mail = false) =>
        (await stage.value(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2, $3, $4)', [
          id,
          json(move),
          json(link),
          mail,
        ])) as Row & { state: Row & { moves: Row[] } };
      const buyer = async (move?: Move, targets: string[] = [], used = token) =>
        (await stage.value(FUNCTIONS, 'select public.negotiate_as_buyer($1, $2, $3, $4)', [
          hashOf(used),
          '[]',
          json(move),
          targets,
        ])) as Row & { state: Row & { moves: Row[] } };
      await owner(undefined, { number: 1, hash: hashOf(token) });
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

    test('a move sent again is one move; another one on the same state is rejected with the new state', async () => {
      const { owner, buyer } = await open();
      assert.equal((await owner(COUNTER)).outcome, 'made');
      assert.equal((await owner(COUNTER)).outcome, 'repeated');
      assert.equal((await owner({ ...COUNTER, amount: '$1' })).outcome, 'moved');
      const late = await buyer({ kind: 'offer', seen: 1, amount: '$5' });
      assert.deepEqual([late.outcome, late.state.seen], ['moved', 2]);
      assert.equal((await buyer({ kind: 'counter', seen: 2, amount: '$5' })).outcome, 'not_possible');
    });

    test('after the end date a counter cannot be accepted, and another offer is possible', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      await age(id, 'valid_until', '8 days');
      assert.equal((await buyer({ kind: 'accept', seen: 2 })).outcome, 'ended');
      assert.equal((await buyer({ kind: 'offer', seen: 2, amount: '$4,100' })).outcome, 'made');
    });

    test('a side makes at most 10 moves', async () => {
      const { buyer } = await open();
      for (let seen = 1; seen <= 10; seen += 1) await buyer({ kind: 'offer', seen, amount: `$${seen}` });
      assert.equal((await buyer({ kind: 'offer', seen: 11, amount: '$11' })).outcome, 'too_many');
    });

    test('one offer for a name is accepted at a time', async () => {
      const one = await open();
      const other = await open(one.domain);
      await one.owner(ACCEPT);
      const second = await other.owner(ACCEPT);
      assert.deepEqual([second.outcome, second.taken_by], ['taken', 'Ada']);
      await one.owner({ kind: 'take_back', seen: 2 });
      assert.equal((await other.owner(ACCEPT)).outcome, 'made');
    });

    test('a status set by hand closes what is open, and leaves an offer without moves as it was', async () => {
      const { id, owner, buyer } = await open();
      await owner(COUNTER);
      const set = (offer: unknown) =>
        stage.as(ADMINISTRATOR, `update public.offers set status = 'rejected' where id = $1`, [offer]);
      await set(id);
      assert.equal((await buyer({ kind: 'accept', seen: 2 })).outcome, 'moved');
      assert.deepEqual([(await buyer()).state.status, (await buyer()).state.can], ['closed', []]);
      assert.equal((await owner({ ...COUNTER, seen: 3 })).outcome, 'made');
      const plain = await submit(stage);
      await set(plain.id);
      assert.equal(
        await value('select count(*)::integer from private.offer_moves where offer_id = $1', plain.id),
        0,
      );
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
      const deliveries = (await stage.value(FUNCTIONS, 'select public.acquire_messages(50, 60)')) as {
        kind: string;
        offers: { move: Row; link?: Row }[];
      }[];
      const [reply] = deliveries.filter(({ kind }) => kind === 'reply');
      assert.deepEqual([reply?.offers[0]?.move.amount, reply?.offers[0]?.link?.number], ['$4,300', 1]);
    });

    test('an end date that passes and an acceptance without news raise one message each', async () => {
      const queue = () =>
        stage.value(FUNCTIONS, 'select public.queue_overdue($1)', [['mailto:owner@example.com']]);
      const expired = await open();
      await expired.owner(COUNTER);
      const silent = await open();
      await silent.owner(ACCEPT);
      await queue();
      const kinds = () =>
        sql(
          `select kind from private.messages where kind in ('expired', 'silent') and offer_id = any($1) order by kind`,
          [expired.id, silent.id],
        );
      assert.deepEqual(await kinds(), []);
      await age(expired.id, 'valid_until', '8 days');
      await age(silent.id, 'created_at', '8 days');
      await queue();
      await queue();
      assert.deepEqual(await kinds(), [{ kind: 'expired' }, { kind: 'silent' }]);
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
      await owner(undefined, { number: 2, hash: hashOf('second'), replace: true });
      assert.equal((await buyer()).outcome, 'invalid');
      assert.equal((await buyer(undefined, [], 'second')).outcome, 'read');
      await sql(
        `update private.offer_links set created_at = now() - interval '91 days' where offer_id = $1`,
        id,
      );
      await age(id, 'created_at', '91 days');
      assert.equal((await buyer(undefined, [], 'second')).outcome, 'invalid');
    });

    test('calls of unknown tokens meet their limit, those of a valid one do not', async () => {
      const { token } = await open();
      const limits = JSON.stringify([limitOf(2)]);
      const call = async (used: string) => {
        const parameters = [hashOf(used), limits];
        return ((await stage.value(FUNCTIONS, 'select public.negotiate_as_buyer($1, $2)', parameters)) as Row)
          .outcome;
      };
      const outcomes = [await call('a'), await call('b'), await call('c'), await call(token)];
      assert.deepEqual(outcomes, ['invalid', 'invalid', 'limited', 'read']);
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

    test('of two racing moves one wins, whoever makes them', async () => {
      const count = (rows: Row[], outcome: string) => rows.filter((row) => row.outcome === outcome).length;
      const pairs = Array.from({ length: PAIRS });
      // Both sides of an offer at once; the owner twice.
      await Promise.all(
        pairs.map(async () => {
          const { owner, buyer } = await open();
          const both = [owner(COUNTER), buyer({ kind: 'offer', seen: 1, amount: '$2' })];
          assert.deepEqual(count(await Promise.all(both), 'made'), 1);
          const twice = [owner({ kind: 'decline', seen: 2 }), owner({ ...COUNTER, seen: 2 })];
          assert.deepEqual(count(await Promise.all(twice), 'made'), 1);
        }),
      );
      // Two buyers of one name, and a publication in between.
      await Promise.all(
        pairs.map(async () => {
          const one = await open();
          const other = await open(one.domain);
          await Promise.all([one.owner(COUNTER), other.owner(COUNTER)]);
          const accept = { kind: 'accept', seen: 2 };
          const sold = sql(`update private.listings set state = 'sold' where name = $1`, one.domain);
          const outcomes = await Promise.all([one.buyer(accept), other.buyer(accept), sold]);
          const accepted = await value(
            `select count(*)::integer from public.offers where domain_name = $1 and status = 'accepted'`,
            one.domain,
          );
          assert.ok(Number(accepted) <= 1, JSON.stringify(outcomes));
          await sql(`update private.listings set state = 'for_sale' where name = $1`, one.domain);
          const last = await Promise.all([one.buyer(accept), other.buyer(accept)]);
          assert.ok(count(last, 'made') <= 1);
          const states = [await one.status(), await other.status()].filter((status) => status === 'accepted');
          assert.equal(states.length, 1, 'one is accepted in the end');
        }),
      );
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

    // Keeps `publish` beside the rows that `open` adds to the catalogue.
    test('a publication that leaves a name out ends its links', async () => {
      const { buyer } = await open();
      await publish(stage, [{ name: 'lap.app' }]);
      assert.equal((await buyer()).outcome, 'invalid');
    });
  });
}
