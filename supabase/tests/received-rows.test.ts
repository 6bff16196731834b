/** The calls of the owner's commands, and the rows that npm run transfer brings, on both engines. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sampleOffer } from '../functions/_shared/contract/sample-offer.ts';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  OWNER,
  openStage,
  removeOffers,
  STRANGER,
  type Stage,
  VISITOR,
} from './cast.ts';
import { ENGINES } from './engines.ts';

const CALLS = [
  'read_administrators()',
  `grant_administrator('${ADMINISTRATOR.userId}')`,
  'revoke_administrator(gen_random_uuid())',
  'end_admin_sessions(gen_random_uuid())',
  'export_offers(1)',
  'count_offers()',
  'read_message_state()',
  "receive_rows('offers', '[]')",
  "read_rows('offers')",
  'read_unanswered(24)',
  'read_access()',
];

const ODD_TEXT = `"'\\ \u2028 \u202e é e\u0301 😀 <script> =1+1 \u00a0 \ufffd`;

for (const choice of ENGINES) {
  describe(`received rows: ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(choice);
    });
    beforeEach(() => removeOffers(stage));
    after(() => stage.close());

    const receive = async (kind: string | null, rows: unknown) =>
      await stage.value(FUNCTIONS, 'select public.receive_rows($1, $2)', [kind, JSON.stringify(rows)]);
    const offer = (more: object = {}) =>
      sampleOffer({
        id: randomUUID(),
        offer_amount: '1',
        customer_name: ODD_TEXT,
        created_at: '2026-01-02T03:04:05.123457+00:00',
        status: 'pending',
        held: false,
        low: false,
        value: null,
        currency: null,
        ...more,
      });
    const count = (table: string) => stage.value(OWNER, `select count(*)::integer from ${table}`);

    test('only the functions’ role calls what the owner’s commands call', async () => {
      for (const call of CALLS) {
        for (const actor of [VISITOR, STRANGER, ADMINISTRATOR]) {
          await stage.rejects(actor, `select public.${call}`);
        }
        await stage.as(FUNCTIONS, `select public.${call}`);
      }
    });

    test('rows keep their text and microseconds; a row that is there stays as it is', async () => {
      const first = offer({ low: true });
      assert.deepEqual(await receive('offers', [first]), { present: 1, erased: 0, total: 1 });
      const stored = await stage.value(OWNER, 'select to_jsonb(o) from public.offers o');
      assert.deepEqual(stored, first);
      assert.deepEqual(await receive('offers', [{ ...first, offer_amount: '2' }]), {
        present: 0,
        erased: 0,
        total: 1,
      });
      assert.equal(await stage.value(OWNER, 'select offer_amount from public.offers'), '1');
      assert.deepEqual(await receive('offers', [{ ...first, of_another_version: 1 }]), {
        present: 1,
        erased: 0,
        total: 1,
      });
    });

    test('offers that were erased in the other database are erased here, and stay out', async () => {
      const [erased, other] = [offer(), offer()];
      await receive('offers', [erased, other]);
      await receive('erased_offers', [{ offer_id: erased.id }]);
      assert.deepEqual(await receive('offers', [erased, other]), { present: 1, erased: 1, total: 1 });
      assert.equal(await stage.value(OWNER, 'select id from public.offers'), other.id);
      const hash = 'a'.repeat(64);
      for (const [kind, row] of [
        ['offer_messages', { message: 'x' }],
        ['idempotency_keys', { token_hash: hash, payload_hash: hash, created_at: '2026-01-01' }],
        ['messages', message(erased.id)],
        ['offer_moves', { number: 2, side: 'buyer', kind: 'withdraw', created_at: '2026-01-01' }],
        ['offer_links', { token_hash: hash, number: 1, nonce: 'a'.repeat(32), created_at: '2026-01-01' }],
        // Noticed before it lacks anything.
        ['deals', {}],
      ] as const)
        assert.deepEqual(
          await receive(kind, [{ ...row, offer_id: erased.id }]),
          { present: 0, erased: 1, total: 0 },
          kind,
        );
    });

    test('the pages of the export have each offer once, also where dates are equal', async () => {
      const offers = [offer({ low: true }), ...Array.from({ length: 4 }, () => offer())];
      await receive('offers', offers);
      const ids: unknown[] = [];
      const marked: unknown[] = [];
      let last: { id?: unknown; created_at?: unknown; low?: boolean } = {};
      do {
        const page = await stage.value(FUNCTIONS, 'select public.export_offers(2, $1, $2)', [
          last.created_at,
          last.id,
        ]);
        const { offers: found } = page as { offers: (typeof last)[] };
        last = found.at(-1) ?? {};
        ids.push(...found.map(({ id }) => id));
        marked.push(...found.flatMap(({ id, low }) => (low === undefined ? [] : [id, low])));
      } while (last.id);
      assert.deepEqual(
        ids,
        offers
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      );
      assert.deepEqual(marked, [offers[0]?.id, true]);
      const counted = (id: unknown) =>
        stage.value(FUNCTIONS, 'select public.count_offers($1, $2)::integer', [offers[0]?.created_at, id]);
      assert.deepEqual([await counted(ids[0]), await counted(ids[1])], [5, 4]);
    });

    test('a row keeps the values of columns with a default', async () => {
      const low = offer({ low: true });
      assert.deepEqual(await receive('offers', [low]), { present: 1, erased: 0, total: 1 });
      assert.deepEqual(await stage.value(OWNER, 'select to_jsonb(o) from public.offers o'), low);
      const ofMoves = [0, 3].map((move_number) => message(low.id, { move_number }));
      await receive('messages', ofMoves.slice(0, 1));
      assert.deepEqual(await receive('messages', ofMoves), { present: 2, erased: 0, total: 2 });
      const numbers = await stage.value(
        OWNER,
        'select jsonb_agg(move_number order by move_number) from private.messages',
      );
      assert.deepEqual(numbers, [0, 3]);
    });

    test('a row keeps what was read in its amounts, and one that was read here since is the same row', async () => {
      const [read, unread] = [offer({ value: 500.5, currency: 'USD' }), offer()];
      const move = {
        offer_id: read.id,
        number: 2,
        side: 'buyer',
        kind: 'offer',
        amount: '5k',
        value: 5000,
        currency: 'EUR',
      };
      await receive('offers', [read, unread]);
      const moves = [{ ...move, created_at: '2026-01-02T03:04:05.123457+00:00' }];
      assert.deepEqual(await receive('offer_moves', moves), { present: 1, erased: 0, total: 1 });
      const stored = 'select jsonb_agg(jsonb_build_array(value, currency) order by value) from ';
      assert.deepEqual(await stage.value(OWNER, `${stored} public.offers`), [
        [500.5, 'USD'],
        [null, null],
      ]);
      assert.deepEqual(await stage.value(OWNER, `${stored} private.offer_moves`), [[5000, 'EUR']]);
      await stage.as(OWNER, `update public.offers set value = 1, currency = 'USD' where id = $1`, [
        unread.id,
      ]);
      assert.deepEqual(await receive('offers', [read, unread]), { present: 2, erased: 0, total: 2 });
    });

    test('a message keeps its state, also when it is received again after it changed', async () => {
      const first = offer();
      await receive('offers', [first]);
      const at = '2026-01-02T03:04:05.123457+00:00';
      const row = message(first.id, { failed_at: at, reason: 'Rejected.', reason_at: at, dismissed_at: at });
      assert.deepEqual(await receive('messages', [row]), { present: 1, erased: 0, total: 1 });
      const stored = await stage.value(
        OWNER,
        'select dismissed_at = $1 and move_number = 3 from private.messages',
        [at],
      );
      assert.equal(stored, true);
      await stage.as(OWNER, 'update private.messages set attempts = 7');
      assert.deepEqual(await receive('messages', [row]), { present: 1, erased: 0, total: 1 });
    });

    test('rows are read in pages in the order of their key, of the kinds that are moved alone', async () => {
      await receive('offers', [offer()]);
      const hashes = Array.from({ length: 1_001 }, (_, n) => String(n).padStart(4, '0'));
      await stage.as(
        OWNER,
        `insert into private.idempotency_keys (token_hash, payload_hash, offer_id)
         select h, 'x', o.id from unnest($1::text[]) as h, public.offers as o`,
        [hashes],
      );
      const read = async (kind: string, after: string | null = null) =>
        (await stage.value(FUNCTIONS, 'select public.read_rows($1, $2)', [kind, after])) as {
          rows: { token_hash: string }[];
          next: string | null;
          total: number;
        };
      const found: string[] = [];
      for (let next: string | null = null; ; ) {
        const page = await read('idempotency_keys', next);
        assert.equal(page.total, hashes.length);
        found.push(...page.rows.map((row) => row.token_hash));
        next = page.next;
        if (next === null) break;
      }
      assert.deepEqual(found, hashes);
      const { rows } = await read('offers');
      assert.deepEqual(rows, [await stage.value(OWNER, 'select to_jsonb(o) from public.offers o')]);
      await assert.rejects(read('admins'), (error: { code?: string }) => error.code === '22023');
    });

    test('rows that do not fit change nothing', async () => {
      await receive('offers', [offer()]);
      const { id: _, ...withoutId } = offer();
      for (const [kind, rows, code] of [
        ['offers', [offer(), withoutId], '23502'],
        ['offers', [offer(), offer({ status: 'sold' })], '23514'],
        ['offers', [offer({ created_at: 'yesterday noon' })], '22007'],
        ['offers', [offer({ customer_name: 'x'.repeat(100_000) })], '23514'],
        ['offers', [offer({ id: '1 or 1=1' })], '22P02'],
        ['offers', { id: randomUUID() }, '22023'],
        ['offer_messages', [{ offer_id: randomUUID(), message: 'x' }], '23503'],
        ['messages', [{ ...message(randomUUID()), attempts: 2 ** 31 }], '22003'],
        ['messages', [message(randomUUID())], '23503'],
        ['erasures', [{ offers: 1e20, erased_at: '2026-01-01' }], '22003'],
        ['private.admins', [{ user_id: STRANGER }], '22023'],
        ['Offers', [], '22023'],
        [null, [], '22023'],
      ] as const) {
        await assert.rejects(
          receive(kind, rows),
          (error: { code?: string }) => error.code === code,
          `${kind} ${code}`,
        );
      }
      assert.equal(await count('public.offers'), 1);
    });

    test('the call of a run that was killed does not insert rows a second time', async () => {
      const changes = Array.from({ length: 500 }, (_, n) => ({
        id: n + 1,
        offer_id: randomUUID(),
        old_status: 'pending',
        new_status: 'accepted',
        // Nobody of this database: the audit keeps the id.
        changed_by: randomUUID(),
        changed_at: '2026-01-02T03:04:05.123457+00:00',
      }));
      const sixTimes = <Result>(call: () => Promise<Result>) => Promise.all(Array.from({ length: 6 }, call));
      // Connections are open before, so that the calls overlap.
      await sixTimes(() => count('private.offer_status_changes'));
      for (const result of await sixTimes(() => receive('offer_status_changes', changes))) {
        assert.deepEqual(result, { present: 500, erased: 0, total: 500 });
      }
    });
  });
}

function message(offer_id: string, more: object = {}) {
  const at = '2026-01-01T00:00:00Z';
  return {
    id: 1,
    kind: 'offer',
    offer_id,
    target: 'mailto:a@example.com',
    digest: false,
    due_at: at,
    attempts: 0,
    give_up_at: at,
    created_at: at,
    address_rejected: false,
    is_trying: false,
    move_number: 3,
    ...more,
  };
}
