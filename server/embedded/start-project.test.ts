import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../../process/user-error.ts';
import { startProject, ThreadDown } from './start-project.ts';

const program = join(import.meta.dirname, 'start-project.fixture.ts');
const TIMES = { interval: 10, timeout: 50, limit: 600, busyLimit: 60_000, startLimit: 60_000, fresh: 30 };

interface Logged {
  readonly event: string;
  readonly code?: number;
  readonly reason?: string;
  readonly next_start_in_ms?: number;
}

/** A thread of start-project.fixture.ts. */
async function start(
  context: TestContext,
  settings: { first?: 'fails' | 'throws'; later?: 'fails' | 'fails once' | 'hangs'; stop?: 'hangs' } = {},
  times: Partial<typeof TIMES> = {},
) {
  const log: Logged[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'thread-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  const thread = await startProject({
    dataDir,
    settings,
    program,
    maxHeapMb: 32,
    times: { ...TIMES, ...times },
    onLog: (line) => log.push(JSON.parse(line)),
  });
  context.after(thread.stop);
  return {
    ...thread,
    log,
    call: (path: string) => thread.send({ method: 'GET', path, headers: {}, body: new Uint8Array() }),
    until: async (event: string) => {
      while (!log.some((line) => line.event === event)) await pause(5);
    },
    untilUp: async () => {
      while (!thread.isUp()) await pause(5);
    },
  };
}

const ENDS = {
  'ended by itself': { path: '/end', logged: { code: 3 } },
  'threw an error': { path: '/throw', logged: { code: 1, reason: 'ERR_OF_TEST' } },
  'used all of its memory': {
    path: '/use-all-memory',
    logged: { code: 1, reason: 'ERR_WORKER_OUT_OF_MEMORY' },
  },
};

for (const [ended, { path, logged }] of Object.entries(ENDS)) {
  test(`a thread that ${ended} is started again, and what was in flight is rejected`, async (context) => {
    // Without the watchdog: the test is about the end of the thread.
    const { call, untilUp, log, health } = await start(context, {}, { interval: 600_000 });
    const inFlight = assert.rejects(call('/no-response'), ThreadDown);
    await assert.rejects(call(path), ThreadDown);
    await inFlight;
    await assert.rejects(call('/no-response'), ThreadDown, 'without a thread');
    assert.equal(await health(), 'The backend is starting.');
    await untilUp();
    assert.deepEqual((await call('/')).headers, [['x-first', 'false']]);
    assert.equal(await health(), true);
    // Without the error's message, which holds an email.
    assert.deepEqual(
      log.map(({ event, code, reason, next_start_in_ms }) => ({
        ...{ event, code, next_start_in_ms },
        ...(reason && { reason }),
      })),
      [{ event: 'ended', next_start_in_ms: 100, ...logged }],
    );
  });
}

test('a thread that is terminated is started again, each time after the shortest delay', async (context) => {
  const { call, terminate, untilUp, log } = await start(context);
  for (const count of [1, 2]) {
    const inFlight = assert.rejects(call('/no-response'), ThreadDown);
    await terminate();
    await inFlight;
    await untilUp();
    assert.deepEqual(
      log.map(({ next_start_in_ms }) => next_start_in_ms),
      Array(count).fill(100),
    );
  }
});

test('a thread that fails to start again is reported with its message, and tried again after doubled delays', async (context) => {
  const { call, until, log, health } = await start(context, { later: 'fails' });
  await assert.rejects(call('/end'), ThreadDown);
  await until('failed');
  assert.equal(await health(), 'The data folder is damaged.');
  while (log.length < 5) await pause(5);
  assert.deepEqual(
    log.slice(0, 5).map(({ event, reason, next_start_in_ms }) => [event, reason ?? next_start_in_ms]),
    [
      ['ended', 100],
      ['failed', 'The data folder is damaged.'],
      ['ended', 200],
      ['failed', 'The data folder is damaged.'],
      ['ended', 400],
    ],
  );
});

test('a thread that starts again after a failed start is healthy, and may run for longer than a start', async (context) => {
  const { call, until, untilUp, log, health } = await start(
    context,
    { later: 'fails once' },
    // Without the watchdog: the test is about the limit of a start.
    { startLimit: 1_000, interval: 600_000 },
  );
  await assert.rejects(call('/end'), ThreadDown);
  await until('failed');
  await untilUp();
  assert.equal(await health(), true);
  const ended = log.length;
  await pause(1_200);
  assert.equal(log.length, ended, 'the limit is for the start alone');
});

test('a thread that does not become ready again in time is terminated', async (context) => {
  const { call, log } = await start(context, { later: 'hangs' }, { startLimit: 50 });
  await assert.rejects(call('/end'), ThreadDown);
  while (log.length < 3) await pause(5);
  assert.deepEqual(
    log.map(({ event, next_start_in_ms }) => [event, next_start_in_ms]),
    [100, 200, 400].map((delay) => ['ended', delay]),
  );
});

const FAULTS = { '/be-wrong': 'it responded with 503', '/be-silent': 'no response in time' };

for (const [path, reason] of Object.entries(FAULTS)) {
  test(`a thread whose probe fails for too long is terminated and started again: ${reason}`, async (context) => {
    const { call, until, untilUp, log, health } = await start(context);
    await pause(1.5 * TIMES.limit);
    assert.equal(await health(), true);
    assert.equal(log.length, 0, 'a thread with good probes is not terminated');
    const since = performance.now();
    await call(path);
    while ((await health()) === true) await pause(5);
    assert.equal(await health(), `The backend does not work (${reason}).`);
    const inFlight = assert.rejects(call('/no-response'), ThreadDown);
    await until('ended');
    await inFlight;
    const took = performance.now() - since;
    assert.ok(took > TIMES.limit - TIMES.interval - TIMES.timeout, `not at once: ${took} ms`);
    assert.deepEqual(
      log.map((line) => [line.event, line.event === 'terminated' && line.reason]),
      [
        ['terminated', reason],
        ['ended', false],
      ],
    );
    await untilUp();
    assert.equal(await health(), true);
  });
}

test('a thread in an endless loop is terminated and started again', async (context) => {
  const { call, untilUp, log } = await start(context);
  await assert.rejects(call('/loop'), ThreadDown);
  await untilUp();
  assert.deepEqual(
    log.map(({ event }) => event),
    ['terminated', 'ended'],
  );
});

test('a thread whose probes get no response is not terminated while calls of the database have results', async (context) => {
  const { call, log, health } = await start(context);
  await call('/work-in-silence');
  await pause(1.5 * TIMES.limit);
  assert.deepEqual(log, []);
  assert.equal(await health(), true);
});

test('a thread that has announced long work is not terminated meanwhile, nor right after it', async (context) => {
  const { call, until, log } = await start(context);
  await call('/begin-work');
  await call('/be-silent');
  await pause(1.5 * TIMES.limit);
  assert.deepEqual(log, []);
  const since = performance.now();
  await call('/end-work');
  await until('terminated');
  const took = performance.now() - since;
  assert.ok(took > TIMES.limit - TIMES.timeout, `the time counts from the end of the work: ${took} ms`);
});

test('a thread that ended during announced work has none when it is started again', async (context) => {
  const { call, untilUp, until } = await start(context);
  await call('/begin-work');
  await assert.rejects(call('/end'), ThreadDown);
  await untilUp();
  await call('/be-silent');
  await until('terminated');
});

test('a thread whose announced work lasts for too long is terminated', async (context) => {
  const { call } = await start(context, {}, { busyLimit: 300 });
  await call('/begin-work');
  await assert.rejects(call('/loop'), ThreadDown);
});

test('startProject rejects with the message of a thread that fails to start, which is not started again', async (context) => {
  await assert.rejects(start(context, { first: 'fails' }), new UserError('The data folder is damaged.'));
  const reported = 'The backend ended before it was ready (ada@example.com is too long).';
  await assert.rejects(start(context, { first: 'throws' }), new UserError(reported));
});

test('stop ends the thread for good, also one that does not stop, or is just being started again', async (context) => {
  const orderly = await start(context);
  const deaf = await start(context, { stop: 'hangs' });
  const looping = await start(context, {}, { limit: 600_000 });
  const starting = await start(context, { later: 'hangs' });
  void looping.call('/loop').catch(() => {});
  await assert.rejects(starting.call('/end'), ThreadDown);
  const waiting = await start(context);
  await assert.rejects(waiting.call('/end'), ThreadDown);
  for (const thread of [orderly, deaf, looping, starting, waiting]) await thread.stop();
  await pause(300);
  for (const { isUp, log } of [orderly, deaf, looping]) {
    assert.ok(!isUp());
    assert.deepEqual(log, []);
  }
  for (const { isUp, log } of [starting, waiting]) {
    assert.ok(!isUp());
    assert.equal(log.length, 1);
  }
});
