import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { deliverMessages } from './deliver-messages.ts';
import { BATCH, DELIVERY } from './delivery.fixture.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { limitParallel } from './limit-parallel.ts';

const SENT: Outcome = { status: 'sent', response: '250 fine' };
const FULL: Outcome = { status: 'failed', reason: '451 try later', permanent: false };
const UNKNOWN: Outcome = {
  status: 'failed',
  reason: '550 no such user',
  permanent: true,
  addressRejected: true,
};
const FAILURE = {
  problem: 'The mail server x cannot be reached.',
  reply: 'none',
  lasting: false,
  certain: true,
};
const HUNG: Outcome = { status: 'failed', reason: 'No response.', permanent: false, failure: FAILURE };

const OWNER = DELIVERY.target;
const [HOOK, OTHER_HOOK] = ['https://hooks.example/a', 'https://hooks.example/b'];

const deliveryTo = (target: string, id: number, more: Partial<Delivery> = {}): Delivery => ({
  ...DELIVERY,
  target,
  ids: [id],
  ...more,
});

interface Start {
  /** What `acquire_messages` returns, call by call; then nothing. */
  taken: Delivery[][];
  send: (delivery: Delivery) => Outcome | Promise<Outcome>;
  /** Whether a message may be tried. */
  mayBegin?: (id: number) => boolean;
  /** Calls of the database that fail, by name; `sent` is one that marks messages as sent. */
  failures?: string[];
  now?: () => number;
  wait?: () => Promise<unknown>;
}

function start({
  taken,
  send,
  mayBegin = () => true,
  failures = [],
  now = () => 0,
  wait = () => Promise.resolve(),
}: Start) {
  const calls: { name: string; args: Record<string, unknown> }[] = [];
  const attempts: number[] = [];
  const batches = [...taken];
  const delivered = deliverMessages({
    callDatabase: checkResults(async (name, args: Record<string, unknown>) => {
      if (name === 'begin_delivery') return mayBegin((args.ids as number[])[0] ?? 0);
      calls.push({ name, args });
      const failure = failures.indexOf(sentIn(args).length > 0 ? 'sent' : name);
      if (failure >= 0) {
        failures.splice(failure, 1);
        throw new DatabaseUnavailable(name);
      }
      return name === 'acquire_messages' ? (batches.shift() ?? []) : null;
    }),
    send: async (delivery) => {
      attempts.push(...delivery.ids);
      return send(delivery);
    },
    now,
    wait,
  });
  const marks = () => calls.filter(({ name }) => name !== 'acquire_messages');
  const sent = () => calls.map(({ args }) => sentIn(args)).filter((ids) => ids.length > 0);
  return { delivered, calls, marks, sent, attempts };
}

/** Ids that a call marks as sent. */
function sentIn({ sent, ids, reason }: Record<string, unknown>): number[] {
  return ((reason === undefined ? (sent ?? ids) : undefined) ?? []) as number[];
}

test('takes and sends until nothing is due', async () => {
  const taken = [[deliveryTo(OWNER, 1), deliveryTo(HOOK, 2)], [deliveryTo(OWNER, 3)]];
  const run = start({ taken, send: () => SENT });
  assert.deepEqual(await run.delivered, { offer: { sent: 3, failed: 0, queued: 0 } });
  assert.deepEqual(run.sent().flat(), [1, 2, 3]);
  assert.deepEqual(run.calls[0], {
    name: 'acquire_messages',
    args: { max: 50, lease_seconds: 60, sent: [] },
  });
});

test('marks what failed with its reason, and counts by kind and by message', async () => {
  const taken = [
    [
      deliveryTo(OWNER, 1),
      deliveryTo(HOOK, 2, { kind: 'overdue', ids: [2, 6], batch: BATCH }),
      deliveryTo(OTHER_HOOK, 3, { ids: [3, 4, 5], batch: BATCH }),
    ],
  ];
  const outcomes: Record<number, Outcome> = { 1: FULL, 2: UNKNOWN, 3: SENT };
  const run = start({ taken, send: ({ ids: [id = 0] }) => outcomes[id] ?? SENT });
  assert.deepEqual(await run.delivered, {
    offer: { sent: 3, failed: 0, queued: 1 },
    overdue: { sent: 0, failed: 2, queued: 0 },
  });
  assert.deepEqual(run.marks(), [
    { name: 'mark_messages_failed', args: { ids: [1], reason: '451 try later', permanent: false } },
    {
      name: 'mark_messages_failed',
      args: { ids: [2, 6], reason: '550 no such user', permanent: true, address_rejected: true },
    },
  ]);
  assert.deepEqual(run.sent(), [[3, 4, 5]]);
});

test('sends one after the other to a target, and to several targets at one time', async () => {
  const running = new Set<string>();
  let most = 0;
  const targets = [OWNER, HOOK, OTHER_HOOK];
  const taken = [[1, 2, 3].flatMap((id) => targets.map((target) => deliveryTo(target, id)))];
  const run = start({
    taken,
    send: async ({ target }) => {
      assert.ok(!running.has(target), 'two at one time to one target');
      running.add(target);
      most = Math.max(most, running.size);
      await Promise.resolve();
      running.delete(target);
      return SENT;
    },
  });
  assert.equal((await run.delivered).offer?.sent, 9);
  assert.equal(most, 3);
});

test('mails wait for one of four connections, and requests of webhooks for none', async () => {
  const running = { mail: 0, hook: 0 };
  const most = { mail: 0, hook: 0 };
  const numbers = Array.from({ length: 6 }, (_, number) => number);
  const taken = [
    numbers.flatMap((number) => [
      deliveryTo(`mailto:${number}@example.com`, number),
      deliveryTo(`https://hooks.example/${number}`, number + 6),
    ]),
  ];
  const run = start({
    taken,
    send: async ({ target }) => {
      const kind = target.startsWith('mailto:') ? 'mail' : 'hook';
      running[kind] += 1;
      most[kind] = Math.max(most[kind], running[kind]);
      await new Promise(setImmediate);
      running[kind] -= 1;
      return SENT;
    },
    wait: () => new Promise(setImmediate),
  });
  assert.equal((await run.delivered).offer?.sent, 12);
  assert.deepEqual(most, { mail: 4, hook: 6 });
});

test('a limit starts tasks in their order and never more at once, also after some have waited and failed', async () => {
  const limited = limitParallel(2);
  const started: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const results: Promise<unknown>[] = [];
  const add = () => {
    const task = results.length;
    const end = Promise.withResolvers<void>();
    ends.push((error) => (error ? end.reject(error) : end.resolve()));
    const result = limited(() => {
      started.push(task);
      return end.promise;
    });
    results.push(result.catch(() => {}));
  };
  const all = () => results.map((_, task) => task);
  for (let round = 0; round < 2; round += 1) {
    const before = results.length;
    for (let task = 0; task < 4; task += 1) add();
    for (let running = before; running < results.length; running += 1) {
      await new Promise(setImmediate);
      assert.deepEqual(started, all().slice(0, running + 2));
      // One that comes when others have waited already.
      if (running === before + 1) add();
      ends[running]?.(running % 2 === 0 ? new Error('of the task') : undefined);
    }
    await Promise.all(results);
  }
});

test('a target that hangs delays no other, also none that becomes due meanwhile', async () => {
  const hanging = Promise.withResolvers<Outcome>();
  const later = Promise.withResolvers<void>();
  const run = start({
    taken: [[deliveryTo(HOOK, 1)], [deliveryTo(OWNER, 2)]],
    send: ({ target }) => {
      if (target === HOOK) return hanging.promise;
      later.resolve();
      return SENT;
    },
  });
  await later.promise;
  hanging.resolve(HUNG);
  assert.deepEqual(await run.delivered, { offer: { sent: 1, failed: 0, queued: 1 } });
});

test('a message whose server was found to fail meanwhile is not tried, and a failure of a server is marked as one', async () => {
  let fails = false;
  const run = start({
    taken: [[deliveryTo(OWNER, 1), deliveryTo(OWNER, 2, { ids: [2, 4], batch: BATCH }), deliveryTo(HOOK, 3)]],
    mayBegin: (id) => id !== 2 || !fails,
    send: ({ target }) => {
      fails ||= target === OWNER;
      return target === OWNER ? HUNG : SENT;
    },
  });
  assert.deepEqual((await run.delivered).offer, { sent: 1, failed: 0, queued: 3 });
  assert.deepEqual(run.attempts, [1, 3]);
  const args = { ids: [1], reason: 'No response.', permanent: false, failure: FAILURE };
  assert.deepEqual(run.marks(), [{ name: 'mark_messages_failed', args }]);
});

test('a message is counted as tried before it is tried', async () => {
  const order: string[] = [];
  const run = start({
    taken: [[deliveryTo(OWNER, 1), deliveryTo(OWNER, 2)]],
    mayBegin: (id) => {
      order.push(`counted ${id}`);
      return true;
    },
    send: ({ ids }) => {
      order.push(`tried ${ids}`);
      return SENT;
    },
  });
  await run.delivered;
  assert.deepEqual(order, ['counted 1', 'tried 1', 'counted 2', 'tried 2']);
});

test('after a rejected message the next one to the same target is still tried', async () => {
  const taken = [[deliveryTo(OWNER, 1), deliveryTo(OWNER, 2), deliveryTo(OWNER, 3)]];
  const outcomes: Record<number, Outcome> = { 1: UNKNOWN, 2: FULL };
  const run = start({ taken, send: ({ ids: [id = 0] }) => outcomes[id] ?? SENT });
  assert.deepEqual((await run.delivered).offer, { sent: 1, failed: 1, queued: 1 });
});

test('when the time is over nothing more is taken or tried, and no failure is marked', async () => {
  let time = 0;
  const run = start({
    taken: [[deliveryTo(OWNER, 1), deliveryTo(OWNER, 2)], [deliveryTo(OWNER, 3)]],
    send: () => {
      time = 20_000;
      return SENT;
    },
    now: () => time,
    wait: () => new Promise(() => {}),
  });
  assert.deepEqual((await run.delivered).offer, { sent: 1, failed: 0, queued: 1 });
  assert.deepEqual(run.attempts, [1]);
  assert.deepEqual(
    run.calls.map(({ name }) => name),
    ['acquire_messages', 'mark_messages_sent'],
  );
});

test('no more are taken while 50 are unfinished', async () => {
  const hanging = Promise.withResolvers<Outcome>();
  const fifty = Array.from({ length: 50 }, (_, id) => deliveryTo(OWNER, id));
  let waits = 0;
  const run = start({
    taken: [fifty, [deliveryTo(HOOK, 99)]],
    send: () => hanging.promise,
    wait: async () => {
      waits += 1;
      if (waits === 5) hanging.resolve(SENT);
    },
  });
  await hanging.promise;
  assert.equal(run.calls.filter(({ name }) => name === 'acquire_messages').length, 1);
  assert.equal((await run.delivered).offer?.sent, 51);
});

test('a message that was sent is marked once more when the first mark fails, also when the time is over', async () => {
  for (const end of [0, 20_000]) {
    let time = 0;
    const send = () => {
      time = end;
      return SENT;
    };
    const now = () => time;
    const run = start({ taken: [[deliveryTo(OWNER, 1)]], send, failures: ['sent'], now });
    assert.equal((await run.delivered).offer?.sent, 1);
    assert.deepEqual(run.sent(), [[1], [1]]);
  }
});

test('a message that was sent is marked while another one hangs, also when the time is over', async () => {
  for (const time of [0, 20_000]) {
    const hanging = Promise.withResolvers<Outcome>();
    let started = false;
    const run = start({
      taken: [[deliveryTo(HOOK, 1), deliveryTo(OWNER, 2)]],
      send: ({ target }) => {
        if (target === HOOK) return hanging.promise;
        started = true;
        return SENT;
      },
      now: () => (started ? time : 0),
      wait: async () => {
        if (run.sent().length > 0) hanging.resolve(HUNG);
        await new Promise(setImmediate);
      },
    });
    assert.equal((await run.delivered).offer?.sent, 1);
    assert.deepEqual(run.sent(), [[2]]);
  }
});

test('a database that fails ends the run with its error, after the attempts that run', async () => {
  for (const name of ['acquire_messages', 'mark_messages_failed']) {
    const run = start({ taken: [[deliveryTo(OWNER, 1)]], send: () => FULL, failures: [name] });
    await assert.rejects(run.delivered, DatabaseUnavailable);
  }
  const twice = ['sent', 'sent'];
  const run = start({ taken: [[deliveryTo(OWNER, 1)]], send: () => SENT, failures: twice });
  await assert.rejects(run.delivered, DatabaseUnavailable);
});

test('once a call of the database has failed nothing more is taken, also while an attempt runs', async () => {
  const hanging = Promise.withResolvers<Outcome>();
  let waits = 0;
  const run = start({
    taken: [[deliveryTo(OWNER, 1), deliveryTo(HOOK, 2)], [deliveryTo(OWNER, 3)]],
    send: ({ target }) => (target === HOOK ? hanging.promise : FULL),
    failures: ['mark_messages_failed'],
    wait: async () => {
      waits += 1;
      if (waits === 3) hanging.resolve(SENT);
      await new Promise(setImmediate);
    },
  });
  await assert.rejects(run.delivered, DatabaseUnavailable);
  assert.deepEqual([run.attempts, run.sent()], [[1, 2], [[2]]]);
});

test('a delivery that cannot be read keeps none from being sent, and is an error', async () => {
  const unreadable = { ...DELIVERY, offers: null } as unknown as Delivery;
  const run = start({ taken: [[unreadable, deliveryTo(OWNER, 2)]], send: () => SENT });
  await assert.rejects(run.delivered, TypeError);
  assert.deepEqual(run.sent(), [[2]]);
});

test('under a constant stream of offers each message is sent and marked within 1 s', async () => {
  const [PER_SECOND, QUIET_FROM_MS] = [50, 60_000];
  let time = 0;
  let taken = 0;
  const sentAt = new Map<number, number>();
  const delays: number[] = [];
  const marks: number[] = [];
  const queuedAt = (id: number) => (id / PER_SECOND) * 1_000;
  while (time < QUIET_FROM_MS + 1_000) {
    await deliverMessages({
      callDatabase: checkResults(async (name, args: Record<string, unknown>) => {
        if (name === 'begin_delivery') return true;
        for (const id of sentIn(args)) marks.push(time - (sentAt.get(id) ?? Number.NaN));
        if (name !== 'acquire_messages') return null;
        const first = taken;
        while (taken - first < 50 && queuedAt(taken) <= Math.min(time, QUIET_FROM_MS)) taken += 1;
        return Array.from({ length: taken - first }, (_, at) =>
          deliveryTo(`mailto:${first + at}@example.com`, first + at, { kind: 'confirmation' }),
        );
      }),
      send: async ({ ids: [id = 0] }) => {
        // Four connections, 20 ms a mail.
        time += 5;
        delays.push(time - queuedAt(id));
        sentAt.set(id, time);
        return SENT;
      },
      now: () => time,
      wait: () => new Promise(() => {}),
    });
    // Until the next offer.
    time += 20;
  }
  assert.equal(delays.length, 3_001);
  assert.ok(Math.max(...delays) < 1_000, `${Math.max(...delays)} ms`);
  assert.equal(marks.length, 3_001);
  assert.ok(Math.max(...marks) < 1_000, `${Math.max(...marks)} ms until a mark`);
});

test('from 15 s on nothing more is taken, and what was taken is tried', async () => {
  let time = 0;
  const run = start({
    taken: [[deliveryTo(OWNER, 1), deliveryTo(OWNER, 2)], [deliveryTo(OWNER, 3)]],
    send: () => {
      time = 15_000;
      return SENT;
    },
    now: () => time,
    wait: () => new Promise(() => {}),
  });
  assert.deepEqual((await run.delivered).offer, { sent: 2, failed: 0, queued: 0 });
  assert.deepEqual(
    run.calls.map(({ name }) => name),
    ['acquire_messages', 'mark_messages_sent'],
  );
});
