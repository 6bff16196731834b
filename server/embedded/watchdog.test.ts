import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWatchdog, WATCHDOG_TIMES } from './watchdog.ts';

/** A watchdog on a clock that the test moves, and what its probe finds. */
function start(context: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  mock.method(performance, 'now', () => now);
  context.after(() => {
    mock.restoreAll();
    mock.timers.reset();
  });
  const state: { isRight: boolean; isRefused: boolean; isBusy: boolean; held?: Promise<void> | undefined } = {
    isRight: true,
    isRefused: false,
    isBusy: false,
  };
  const hanging: number[] = [];
  const timeouts: number[] = [];
  const watchdog = createWatchdog({
    probe: async (timeoutMs) => {
      timeouts.push(timeoutMs);
      if (state.isRefused) throw new Error('refused');
      if (state.held) return await state.held;
      if (state.isRight) return;
      await new Promise((resolve) => setTimeout(resolve, timeoutMs));
      throw new Error('no response in time');
    },
    isBusy: () => state.isBusy,
    onHanging: (_, ms) => hanging.push(ms),
    times: WATCHDOG_TIMES,
  });
  watchdog.begin();
  /** Lets time pass in steps of 100 ms. @param each runs after each second */
  const pass = async (ms: number, each = () => {}) => {
    for (let passed = 100; passed <= ms; passed += 100) {
      now += 100;
      mock.timers.tick(100);
      await nextTurn();
      if (passed % 1_000 === 0) each();
    }
  };
  /** Of the whole machine: timers run later. */
  const sleep = (ms: number) => {
    now += ms;
  };
  return { state, hanging, timeouts, watchdog, pass, sleep };
}

test('a single failed probe is no fault, however long the machine slept', async (context) => {
  const { state, hanging, pass, sleep } = start(context);
  for (let night = 0; night < 3; night += 1) {
    await pass(5_000);
    sleep(3_600_000);
    state.isRight = false;
    await pass(1_000 + WATCHDOG_TIMES.timeout);
    state.isRight = true;
    await pass(30_000);
  }
  assert.deepEqual(hanging, []);
});

test('what gives no right result for 10 s is reported once', async (context) => {
  const { state, hanging, timeouts, pass } = start(context);
  await pass(5_000);
  assert.deepEqual(new Set(timeouts), new Set([5_000]));
  state.isRight = false;
  await pass(9_500);
  assert.deepEqual(hanging, []);
  await pass(60_000);
  assert.equal(hanging.length, 1);
  assert.ok((hanging[0] ?? 0) <= 11_100, `${hanging[0]} ms`);
});

test('a probe that began before the last start counts neither as right nor as failed', async (context) => {
  const { state, hanging, watchdog, pass } = start(context);
  const former = Promise.withResolvers<void>();
  state.held = former.promise;
  await pass(1_500);
  state.held = undefined;
  watchdog.end();
  watchdog.begin();
  state.isRight = false;
  await pass(9_000);
  former.resolve();
  await pass(3_000);
  assert.equal(hanging.length, 1);
});

test('right results are as good as a probe, which waits behind the calls that give them, until they end', async (context) => {
  const { state, hanging, watchdog, pass } = start(context);
  state.isRight = false;
  await pass(60_000, watchdog.noteRight);
  assert.deepEqual(hanging, []);
  // Of a while ago: it is probed again.
  await pass(WATCHDOG_TIMES.fresh + 100);
  const problem = watchdog.findProblem();
  await pass(WATCHDOG_TIMES.fresh, watchdog.noteRight);
  assert.equal(await problem, undefined);
  await pass(9_000);
  assert.deepEqual(hanging, []);
  await pass(9_000);
  assert.equal(hanging.length, 1);
});

test('probes that fail at once are made until 10 s are over', async (context) => {
  const { state, hanging, pass } = start(context);
  await pass(5_000);
  state.isRefused = true;
  await pass(9_900);
  assert.deepEqual(hanging, []);
  await pass(2_000);
  assert.equal(hanging.length, 1);
});

test('during announced long work probes may fail for 2 min, and after it for 10 s', async (context) => {
  for (const [busyMs, reported] of [
    [100_000, 0],
    [125_000, 1],
  ] as const) {
    const { state, hanging, watchdog, pass } = start(context);
    state.isRefused = true;
    state.isBusy = true;
    await pass(busyMs);
    assert.equal(hanging.length, reported);
    state.isBusy = false;
    await pass(9_000);
    assert.equal(hanging.length, reported);
    await pass(3_000);
    assert.equal(hanging.length, 1);
    watchdog.end();
    mock.restoreAll();
    mock.timers.reset();
  }
});

test('after the end nothing is reported, also of a probe that is under way, and a start begins anew', async (context) => {
  const { state, hanging, watchdog, pass, sleep } = start(context);
  state.isRight = false;
  for (const ms of [500, 1_500]) {
    await pass(ms);
    watchdog.end();
    await pass(30_000);
    assert.deepEqual(hanging, []);
    sleep(60_000);
    watchdog.begin();
  }
  await pass(9_500);
  assert.deepEqual(hanging, []);
  await pass(2_000);
  assert.equal(hanging.length, 1);
});

test('what does not respond is found at once, unless it responded just now', async (context) => {
  const { state, timeouts, watchdog, pass } = start(context);
  await pass(1_500);
  state.isRefused = true;
  assert.equal(await watchdog.findProblem(), undefined);
  await pass(1_000);
  assert.equal(await watchdog.findProblem(), 'refused', 'a probe failed meanwhile');
  watchdog.noteRight();
  watchdog.end();
  await pass(WATCHDOG_TIMES.fresh);
  assert.equal(await watchdog.findProblem(), 'refused', 'that is too long ago');
  assert.equal(timeouts.at(-1), WATCHDOG_TIMES.fresh);
});
