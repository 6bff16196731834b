import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { supervise } from './supervise.ts';

const GOOD_PROBE = { check: async () => {} };

const FAILURES: Record<string, () => ReturnType<typeof spawn>> = {
  // As when the system has no process or file left: the child emits an error and no exit.
  'could not be spawned': () => spawn('/nowhere/at/all'),
  'made its start throw': () => {
    throw new Error('spawn EMFILE');
  },
};

for (const [failed, fail] of Object.entries(FAILURES)) {
  test(`a process that ${failed} once is started again exactly once`, async () => {
    const started: number[] = [];
    const logged: { event: string; next_start_in_ms?: number }[] = [];
    const third = Promise.withResolvers<void>();
    const supervised = supervise(
      'test',
      (line) => logged.push(JSON.parse(line)),
      (up) => {
        started.push(started.length);
        if (started.length === 2) {
          const child = fail();
          return { child, requestStop: () => child.kill() };
        }
        const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
        child.once('spawn', () => {
          up();
          if (started.length === 1) child.kill('SIGKILL');
          else third.resolve();
        });
        return { child, requestStop: () => child.stdin.end() };
      },
      GOOD_PROBE,
    );
    await third.promise;
    assert.ok(supervised.isUp());
    assert.deepEqual(
      logged.map(({ event, next_start_in_ms }) => [event, next_start_in_ms]),
      [
        ['ended', 100],
        ['not_started', 200],
      ],
    );
    await supervised.stop();
    assert.ok(!supervised.isUp());
    assert.equal(started.length, 3);
  });
}

const TIMES = { interval: 10, timeout: 50, limit: 600, busyLimit: 60_000, startLimit: 60_000, fresh: 30 };

/** A process that never ends by itself, and whose probe fails while `reason` is set. */
function watched(state: { reason?: string; busy?: boolean }) {
  const events: string[] = [];
  /** When the last probe was good, or was excused by long work. */
  let lastGood = 0;
  let starts = 0;
  const start = (up: () => void) => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    child.once('spawn', () => {
      starts += 1;
      up();
    });
    return { child, requestStop: () => child.stdin.end() };
  };
  const probe = {
    check: async (signal: AbortSignal) => {
      if (state.reason === 'silent') await pause(10_000, undefined, { signal });
      if (state.reason) throw new Error(state.reason);
      lastGood = performance.now();
    },
    isBusy: () => {
      if (state.busy) lastGood = performance.now();
      return state.busy === true;
    },
  };
  const supervised = supervise('test', (line) => events.push(JSON.parse(line).event), start, probe, TIMES);
  return { supervised, events, starts: () => starts, sinceLastGood: () => performance.now() - lastGood };
}

for (const reason of ['wrong', 'silent']) {
  test(`a process that is ${reason} for too long is killed and started again`, async () => {
    const state: { reason?: string } = {};
    const { supervised, events, starts, sinceLastGood } = watched(state);
    while (starts() < 1) await pause(10);
    await pause(1.5 * TIMES.limit);
    assert.equal(await supervised.health(), true);
    assert.deepEqual(events, [], 'a process with good probes is not killed');
    state.reason = reason;
    while (!/^The test process does not work \(/.test(String(await supervised.health()))) await pause(10);
    while (starts() < 2) await pause(10);
    assert.ok(sinceLastGood() > TIMES.limit, 'not at once');
    delete state.reason;
    assert.deepEqual(events, ['killed', 'ended']);
    assert.equal(await supervised.health(), true);
    await supervised.stop();
  });
}

test('a process that has announced long work is not killed meanwhile, nor right after it', async () => {
  const state = { reason: 'silent', busy: true };
  const { supervised, events, starts, sinceLastGood } = watched(state);
  while (starts() < 1) await pause(10);
  await pause(1.5 * TIMES.limit);
  assert.equal(events.length, 0);
  state.busy = false;
  while (!events.includes('killed')) await pause(10);
  assert.ok(sinceLastGood() > TIMES.limit, `the time counts from the end of the work: ${sinceLastGood()} ms`);
  await supervised.stop();
});

test('supervise throws when the first start fails', () => {
  const start = () => {
    throw new Error('spawn EMFILE');
  };
  assert.throws(() => supervise('test', assert.fail, start, GOOD_PROBE), /EMFILE/);
});
