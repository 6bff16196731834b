/** Counting of offers and sign-ins, and storing each offer once, by the database alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { FUNCTIONS, OWNER, openStage, publish, type Stage, type Submission, submit, WINDOW } from './cast.ts';
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
    const announce = async (token: string, steps: unknown[] = [], failures?: unknown[]) =>
      (await (failures
        ? call('announce_offer($1, $2, $3, $4)', token, 'texts', steps, failures)
        : call('announce_offer($1, $2, $3)', token, 'texts', steps))) as Row;
    const atOnce = (count: number, submission: () => Submission) =>
      Promise.all(Array.from({ length: count }, () => submit(stage, submission())));
    const countOf = (outcomes: Row[], outcome: string) =>
      outcomes.filter((one) => one.outcome === outcome).length;
    const hitsOf = async (limit: Limit) =>
      (await stage.value(OWNER, 'select hits from private.rate_limits where key_hash = $1', [limit.key])) ??
      0;

    test('a new offer is stored as sent, pending and not held; sent again it is the same offer', async () => {
      const token = randomUUID();
      const first = await submit(stage, { token });
      assert.equal(first.outcome, 'stored');
      assert.deepEqual(await submit(stage, { token }), { outcome: 'repeated', id: first.id });
      assert.deepEqual(await submit(stage, { token, payload: 'other texts' }), {
        outcome: 'conflict',
        id: first.id,
        payload_hash: 'texts',
      });
      assert.deepEqual(await announce(token), { outcome: 'repeated', id: first.id });
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

    test('fifty concurrent requests with one token store one offer, count once and return its id', async () => {
      const token = randomUUID();
      const steps = [limitOf(100)];
      const outcomes = await atOnce(50, () => ({ token, steps }));
      assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
      assert.equal(countOf(outcomes, 'stored'), 1);
      assert.equal(countOf(outcomes, 'repeated'), 49);
      assert.equal(
        (await stage.as(OWNER, 'select 1 from public.offers where id = $1', [outcomes[0]?.id])).length,
        1,
      );
      assert.equal(await hitsOf(steps[0] as Limit), 1);
    });

    test('an announcement returns the step of the next offer, and counts nothing', async () => {
      const [small, large] = [limitOf(2), limitOf(100)];
      const steps = [large, small];
      const wanted: unknown[] = [];
      for (let offer = 0; offer < 6; offer += 1) {
        for (let look = 0; look < 2; look += 1) {
          const announced = await announce(randomUUID(), steps);
          assert.equal(announced.outcome, 'new');
          if (look === 1) wanted.push(announced.step);
        }
        assert.equal((await submit(stage, { steps, work: 4 })).outcome, 'stored');
      }
      assert.deepEqual(wanted, [0, 0, 1, 1, 2, 2]);
      assert.equal(await hitsOf(large), 6);
    });

    test('an offer with too little work is not stored or counted, and gets the step to work for', async () => {
      const steps = [limitOf(1)];
      const token = randomUUID();
      assert.equal((await submit(stage, { steps })).outcome, 'stored');
      assert.deepEqual(await submit(stage, { token, steps }), { outcome: 'harder', step: 1 });
      assert.equal(await hitsOf(steps[0] as Limit), 1);
      assert.equal((await announce(token, steps)).outcome, 'new', 'no receipt is left');
      assert.equal((await submit(stage, { token, steps, work: 1 })).outcome, 'stored');
      assert.deepEqual(await submit(stage, { steps, work: 1 }), { outcome: 'harder', step: 2 });
    });

    test('the step to work for is never beyond the hardest one', async () => {
      const steps = [limitOf(1)];
      await atOnce(9, () => ({ steps, work: 4 }));
      assert.deepEqual(await submit(stage, { steps, work: 1 }), { outcome: 'harder', step: 4 });
    });

    test('past the hardest step an offer is stored held, and at once where there are no steps', async () => {
      for (const hardest of [3, 0]) {
        const steps = [limitOf(1)];
        const held: unknown[] = [];
        for (let offer = 0; offer < hardest + 3; offer += 1) {
          const { outcome, id } = await submit(stage, { steps, work: hardest, maxWork: hardest });
          assert.equal(outcome, 'stored');
          held.push(await stage.value(OWNER, 'select held from public.offers where id = $1', [id]));
        }
        assert.deepEqual(held, [...Array(hardest + 1).fill(false), true, true]);
      }
    });

    test('held offers beyond the limit are not stored or counted, and keep their token', async () => {
      const steps = [limitOf(1)];
      const heldLimit = limitOf(2);
      const offer = (token: string = randomUUID()) =>
        submit(stage, { token, steps, work: 0, maxWork: 0, heldLimits: [heldLimit] });
      for (let stored = 0; stored < 3; stored += 1) assert.equal((await offer()).outcome, 'stored');
      const token = randomUUID();
      const limited = await offer(token);
      assert.equal(limited.outcome, 'limited');
      assert.ok(Number(limited.wait) > 0 && Number(limited.wait) <= WINDOW, String(limited.wait));
      assert.equal(await hitsOf(steps[0] as Limit), 3);
      assert.equal(await hitsOf(heldLimit), 2);
      assert.equal((await submit(stage, { token })).outcome, 'stored');
    });

    test('no more held offers: an offer with too little work gets the time to wait, and no harder work', async () => {
      const [steps, heldLimits] = [[limitOf(1)], [limitOf(1)]];
      const outcomeOf = async (work: number) =>
        (await submit(stage, { steps, work, maxWork: 1, heldLimits })).outcome;
      for (const work of [0, 1]) assert.equal(await outcomeOf(work), 'stored');
      assert.equal(await outcomeOf(0), 'harder', 'one can be held');
      assert.equal(await outcomeOf(1), 'stored');
      assert.equal(await outcomeOf(0), 'limited');
      assert.equal(await hitsOf(steps[0] as Limit), 3);
    });

    test('no more held offers: an announcement says so and writes nothing, and a repeated request gets its id', async () => {
      const steps = [limitOf(1)];
      const heldLimits = [limitOf(1)];
      const offer = (token: string) => submit(stage, { token, steps, maxWork: 0, heldLimits });
      const tokens = [randomUUID(), randomUUID(), randomUUID()] as const;
      const ids: unknown[] = [];
      for (const token of tokens) ids.push((await offer(token)).id);
      assert.equal(ids[2], undefined, 'one is free, one is held');
      const announceHeld = (token: string, maxWork = 0) =>
        call('announce_offer($1, $2, $3, $4, $5, $6)', token, 'texts', steps, [], maxWork, heldLimits);
      const rows = () => stage.as(OWNER, 'select key_hash, hits from private.rate_limits order by 1, 2');
      const before = await rows();
      const { outcome, wait } = (await announceHeld(tokens[2])) as Row;
      assert.equal(outcome, 'limited');
      assert.ok(Number(wait) > 0);
      assert.deepEqual(await announceHeld(tokens[2], 4), { outcome: 'new', step: 2 });
      assert.deepEqual(await announceHeld(tokens[1]), { outcome: 'repeated', id: ids[1] });
      assert.deepEqual(await rows(), before);
      assert.deepEqual(await offer(tokens[1]), { outcome: 'repeated', id: ids[1] });
    });

    test('the time to wait is that of the step, not of the held offers', async () => {
      // Windows that end in 2038 and in 2046.
      const stepWindow = 720_000_000;
      const steps = [{ ...limitOf(1), window: stepWindow }];
      const later = { ...limitOf(100), window: 1_200_000_000 };
      const heldLimits = [{ ...limitOf(1), window: 1_200_000_000 }];
      const offer = () => submit(stage, { steps: [...steps, later], maxWork: 0, heldLimits });
      assert.equal((await offer()).outcome, 'stored');
      assert.equal((await offer()).outcome, 'stored');
      const left = Number(
        await stage.value(OWNER, 'select private.seconds_left(private.window_start($1), $1)', [stepWindow]),
      );
      const near = ({ outcome, wait }: Row) =>
        outcome === 'limited' && Number(wait) <= left && Number(wait) > left - 60;
      const limited = await offer();
      assert.ok(near(limited), JSON.stringify(limited));
      const announced = (await call(
        'announce_offer($1, $2, $3, $4, $5, $6)',
        randomUUID(),
        'texts',
        [...steps, later],
        [],
        0,
        heldLimits,
      )) as Row;
      assert.ok(near(announced), JSON.stringify(announced));
    });

    test('a part of the held offers is left to networks that hold none for the domain', async () => {
      const [steps, ofDomain, again] = [[limitOf(1)], limitOf(5), limitOf(2)];
      const [crowd, other, late, last] = Array.from({ length: 4 }, () => limitOf(1));
      const heldLimits = (after: Limit | undefined) => [ofDomain, { ...again, after }];
      const offerOf = async (after: Limit | undefined) => {
        const announced = (await call(
          'announce_offer($1, $2, $3, $4, $5, $6)',
          randomUUID(),
          'texts',
          steps,
          [],
          0,
          heldLimits(after),
        )) as Row;
        const { outcome } = await submit(stage, { steps, maxWork: 0, heldLimits: heldLimits(after) });
        assert.equal(announced.outcome, outcome === 'stored' ? 'new' : 'limited');
        return outcome;
      };
      assert.equal(await offerOf(crowd), 'stored', 'not held');
      const outcomes: unknown[] = [];
      for (let offer = 0; offer < 5; offer += 1) outcomes.push(await offerOf(crowd));
      assert.deepEqual(outcomes, ['stored', 'stored', 'stored', 'limited', 'limited']);
      assert.deepEqual(
        [await hitsOf(ofDomain), await hitsOf(again), await hitsOf(crowd as Limit)],
        [3, 2, 3],
      );
      assert.equal(await offerOf(other), 'stored', 'the first of its network');
      assert.equal(await offerOf(other), 'limited');
      assert.equal(await offerOf(late), 'stored');
      assert.equal(await offerOf(last), 'limited', 'all are held');
      assert.equal(await hitsOf(ofDomain), 5);
      assert.equal(await hitsOf(last as Limit), 0, 'a rejected offer is not the first');
    });

    test('of fifty held offers of one network at once exactly as many are stored as may be', async () => {
      const [steps, ofDomain, again, after] = [[limitOf(1)], limitOf(50), limitOf(10), limitOf(1)];
      const heldLimits = [ofDomain, { ...again, after }];
      assert.equal((await submit(stage, { steps, maxWork: 0, heldLimits })).outcome, 'stored', 'not held');
      const outcomes = await atOnce(50, () => ({ steps, maxWork: 0, heldLimits }));
      assert.equal(countOf(outcomes, 'stored'), 11);
      assert.equal(await hitsOf(ofDomain), 11);
    });

    test('exactly as many of fifty concurrent offers pass as the work allows', async () => {
      const steps = [limitOf(5)];
      const outcomes = await atOnce(50, () => ({ steps, work: 1 }));
      assert.equal(countOf(outcomes, 'stored'), 10);
      assert.equal(countOf(outcomes, 'harder'), 40);
      assert.equal(await hitsOf(steps[0] as Limit), 10);
    });

    test('exactly as many of fifty concurrent offers are held as the limit allows', async () => {
      const domain = 'held.example';
      await publish(stage, [{ name: 'lap.app' }, { name: domain }]);
      const steps = [limitOf(5)];
      const heldLimit = limitOf(20);
      const outcomes = await atOnce(50, () => ({
        domain,
        steps,
        work: 2,
        maxWork: 2,
        heldLimits: [heldLimit],
      }));
      assert.equal(countOf(outcomes, 'stored'), 35);
      assert.equal(countOf(outcomes, 'limited'), 15);
      assert.equal(await hitsOf(steps[0] as Limit), 35);
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
             "customer_email": "ada@example.com"}', $1, '', '[]', 0, 4, '[]') ->> 'outcome' as outcome
         )
         select s.outcome, count(*)::integer as queues from submitted s join pg_locks l
           on s.outcome is not null and l.locktype = 'advisory' and l.granted and l.pid = pg_backend_pid()
         group by s.outcome`,
        [randomUUID()],
      );
      assert.deepEqual(locks, [{ outcome: 'stored', queues: 1 }]);
    });

    test('offers that share limits in any order do not wait for each other', {
      timeout: 20_000,
    }, async () => {
      const shared = Array.from({ length: 4 }, () => limitOf(3));
      const heldLimit = limitOf(500);
      const shuffled = () => shared.toSorted(() => Math.random() - 0.5);
      const outcomes = await atOnce(120, () => ({
        steps: shuffled(),
        work: Math.floor(Math.random() * 3),
        maxWork: 2,
        heldLimits: [heldLimit],
      }));
      assert.equal(countOf(outcomes, 'stored') + countOf(outcomes, 'harder'), 120);
      for (const limit of shared) assert.equal(await hitsOf(limit), countOf(outcomes, 'stored'));
    });

    test('failed bot checks make an address wait, and only it', async () => {
      const [failing, other] = [limitOf(2), limitOf(2)];
      assert.equal(await call('count_failed_check($1)', [failing]), 0);
      assert.equal((await announce(randomUUID(), [], [failing])).outcome, 'new');
      assert.equal(await call('count_failed_check($1)', [failing]), 0);
      const limited = await announce(randomUUID(), [], [failing]);
      assert.equal(limited.outcome, 'limited');
      assert.ok(Number(limited.wait) > 0);
      assert.ok(Number(await call('count_failed_check($1)', [failing])) > 0);
      assert.equal((await announce(randomUUID(), [], [other])).outcome, 'new');
    });

    test('a sender has a share of the held offers of a domain, and leaves room for others', async () => {
      const [domain, ofDomain] = [limitOf(1), limitOf(500)];
      const offerOf = (sender: Limit) =>
        submit(stage, {
          steps: [domain],
          work: 0,
          maxWork: 0,
          heldLimits: [{ ...sender, own: true }, ofDomain],
        });
      const [flood, visitor] = [limitOf(2), limitOf(2)];
      const outcomes: unknown[] = [];
      for (let offer = 0; offer < 5; offer += 1) outcomes.push((await offerOf(flood)).outcome);
      assert.deepEqual(outcomes, ['stored', 'stored', 'stored', 'limited', 'limited']);
      assert.equal((await offerOf(visitor)).outcome, 'stored');
      assert.equal(await hitsOf(ofDomain), 3, 'a rejected offer takes no place of the domain');
    });

    test('an offer that only its own sender’s step holds takes no place of the domain', async () => {
      const [address, domain] = [{ ...limitOf(1), own: true }, limitOf(4)];
      const [sender, ofDomain] = [{ ...limitOf(25), own: true }, limitOf(500)];
      const held: unknown[] = [];
      const hits: unknown[] = [];
      for (let offer = 0; offer < 6; offer += 1) {
        const submission = { steps: [domain, address], maxWork: 0, heldLimits: [ofDomain, sender] };
        const { id } = await submit(stage, submission);
        held.push(await stage.value(OWNER, 'select held from public.offers where id = $1', [id]));
        hits.push(await hitsOf(ofDomain));
      }
      assert.deepEqual(held, [false, true, true, true, true, true]);
      assert.deepEqual(hits, [0, 0, 0, 0, 1, 2]);
      assert.equal(await hitsOf(sender), 5);
    });

    const beginByProof = async (account: Limit, level = 0, key: string = randomUUID()) =>
      (await call('begin_sign_in_by_proof($1, $2, $3, $4, $5)', key, 600, [account], level, 4)) as Row;

    test('a proof is accepted once, also from fifty concurrent requests, and again after its time', async () => {
      const [key, account] = [randomUUID(), limitOf(100)];
      const uses = await Promise.all(Array.from({ length: 50 }, () => beginByProof(account, 0, key)));
      assert.equal(countOf(uses, 'begun'), 1);
      assert.equal(countOf(uses, 'used'), 49);
      assert.equal(await hitsOf(account), 1, 'and counts once');
      assert.equal((await beginByProof(account)).outcome, 'begun');
      await stage.as(OWNER, `update private.rate_limits set window_end = now() where key_hash = $1`, [key]);
      assert.equal((await beginByProof(account, 0, key)).outcome, 'begun');
    });

    test('attempts with proofs make the next proof of the account harder, and never lock it', async () => {
      const account = limitOf(2);
      const key = randomUUID();
      for (let level = 0; level < 5; level += 1) {
        if (level > 0) {
          assert.deepEqual(await beginByProof(account, level - 1, key), { outcome: 'harder', level });
          const { level: next } = (await call('begin_sign_in($1, $2, $3, $4)', [], [], [], [account])) as Row;
          assert.equal(next, level, 'a challenge of the right level');
        }
        for (let attempt = 0; attempt < 2; attempt += 1) {
          assert.equal((await beginByProof(account, level)).outcome, 'begun');
        }
      }
      assert.equal(
        (await beginByProof(account, 4, key)).outcome,
        'begun',
        'the rejected proof was not used up',
      );
      assert.equal(await hitsOf(account), 11);
      assert.equal((await beginByProof(limitOf(2))).outcome, 'begun', 'another account');
    });

    test('a proof that is used or has too little work writes nothing when it is sent again', async () => {
      const account = limitOf(1);
      const [used, stale] = [randomUUID(), randomUUID()];
      assert.equal((await beginByProof(account, 0, used)).outcome, 'begun');
      const versions = () =>
        stage.as(OWNER, 'select key_hash, xmin, hits from private.rate_limits order by key_hash, hits');
      const before = await versions();
      assert.deepEqual(await beginByProof(account, 0, stale), { outcome: 'harder', level: 1 });
      assert.deepEqual(await beginByProof(account, 4, used), { outcome: 'used' });
      assert.deepEqual(await beginByProof(account, 0, used), { outcome: 'used' });
      assert.deepEqual(await versions(), before);
    });

    test('exactly as many of fifty concurrent proofs pass as their level allows', async () => {
      const account = limitOf(5);
      const begun = await Promise.all(Array.from({ length: 50 }, () => beginByProof(account, 1)));
      assert.equal(countOf(begun, 'begun'), 10);
      assert.equal(await hitsOf(account), 10);
    });

    const begin = async (own: Limit[], account: Limit[], harder: Limit[]) =>
      (await call('begin_sign_in($1, $2, $3, $4)', own, account, harder, [])) as {
        wait: number;
        harder: boolean;
      };
    const forgive = (own: Limit[], account: Limit[], harder: Limit[]) =>
      call('forgive_sign_in($1, $2, $3)', own, account, harder);

    test('an account under attack is slowed down, not locked', async () => {
      const account = [limitOf(2)];
      const attacker = [limitOf(1)];
      const harder: boolean[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const begun = await begin([limitOf(9)], account, attacker);
        assert.equal(begun.wait, 0);
        harder.push(begun.harder);
      }
      assert.deepEqual(harder, [false, false, true]);
      assert.ok((await begin([limitOf(9)], account, attacker)).wait > 0);
      assert.equal((await begin([limitOf(9)], account, [limitOf(1)])).wait, 0, 'the owner still gets a try');
    });

    test('an attempt that a limit rejects writes nothing', async () => {
      const [address, pair, account] = [limitOf(1), limitOf(5), limitOf(30)];
      assert.equal((await begin([address, pair], [account], [])).wait, 0);
      const [newPair, newAccount] = [limitOf(5), limitOf(30)];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        assert.ok((await begin([address, newPair], [newAccount], [])).wait > 0);
      }
      assert.equal(await hitsOf(address), 1);
      const rows = 'select 1 from private.rate_limits where key_hash in ($1, $2)';
      assert.deepEqual(await stage.as(OWNER, rows, [newPair.key, newAccount.key]), []);
    });

    test('giving attempts back leaves those of others counted, also beyond a limit', async () => {
      const account = [limitOf(3)];
      const attempt = () => begin([limitOf(9)], account, [limitOf(9)]);
      for (let guess = 0; guess < 3; guess += 1) await attempt();
      const others = await Promise.all(Array.from({ length: 5 }, attempt));
      assert.ok(others.every(({ harder }) => harder));
      for (const _ of others) await forgive([], account, []);
      assert.equal(await hitsOf(account[0] as Limit), 3);
      assert.equal((await attempt()).harder, true);
    });

    test('an attempt with the right password is given back, on every limit', async () => {
      const [own, account, harder] = [[limitOf(1)], [limitOf(0)], [limitOf(1)]];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        assert.equal((await begin(own, account, harder)).wait, 0);
        await forgive(own, account, harder);
      }
      assert.equal((await begin(own, account, harder)).wait, 0);
      assert.ok((await begin(own, account, harder)).wait > 0);
    });

    test('sign-ins that begin and that end at once do not wait for each other', async () => {
      const names = ['account', 'account-and-address', 'account-under-attack', 'address'];
      const [account, own, harder, address] = names.map((bucket) => limitOf(1_000, `crowd.${bucket}`));
      const limits = [[address, own], [account], [harder]] as [Limit[], Limit[], Limit[]];
      const user = async () => {
        for (let time = 0; time < 20; time += 1) {
          await begin(...limits);
          await forgive(...limits);
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
      // Each count cleans up with a chance of 1 %: that none of 3,000 does has a chance of 1 in 10^13.
      await stage.as(OWNER, `do $$ begin for n in 1..3000 loop perform private.take('[]'); end loop; end $$`);
      assert.deepEqual(await stage.as(OWNER, `select 1 from private.rate_limits where bucket = 'over'`), []);
    });
  });
}

interface Limit {
  bucket: string;
  key: string;
  max: number;
  /** Seconds. */
  window: number;
}

/** A limit that no other test counts on. */
function limitOf(max: number, bucket = 'test'): Limit {
  return { bucket, key: randomUUID(), max, window: WINDOW };
}
