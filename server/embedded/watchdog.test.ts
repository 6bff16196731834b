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
  const state: { isRight: boolean; isBusy: boolean; held?: Promise<void> | undefined } = {
    isRight: true,
    isBusy: false,
  };
  const hanging: number[] = [];
  const watchdog = createWatchdog({
    probe: async (timeoutMs) => {
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
  return { state, hanging, watchdog, pass, sleep };
}

test('a single failed probe is no fault, however long the machine slept', async (context) => {
  const { state, hanging, pass, sleep } = start(context);
  await pass(5_000);
  sleep(3_600_000);
  state.isRight = false;
  await pass(1_000 + WATCHDOG_TIMES.timeout);
  state.isRight = true;
  await pass(30_000);
  assert.deepEqual(hanging, []);
});

test('what gives no right result for 10 s is reported once', async (context) => {
  const { state, hanging, pass } = start(context);
  await pass(5_000);
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
