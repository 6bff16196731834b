import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { keepAlive } from './keep-alive.ts';

const FAILURES: Record<string, () => ReturnType<typeof spawn>> = {
  // As it is with no process or file left to open: the child tells an error and never ends.
  'could not be spawned': () => spawn('/nowhere/at/all'),
  'made its start throw': () => {
    throw new Error('spawn EMFILE');
  },
};

for (const [failed, fail] of Object.entries(FAILURES)) {
  test(`a process that ${failed} once is started again, and once only`, { timeout: 20_000 }, async () => {
    const started: number[] = [];
    const logged: { event: string; next_start_in_ms?: number }[] = [];
    const third = Promise.withResolvers<void>();
    const kept = keepAlive(
      'test',
      (line) => logged.push(JSON.parse(line)),
      (up) => {
        started.push(started.length);
        if (started.length === 2) {
          const child = fail();
          return { child, askToStop: () => child.kill() };
        }
        const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
        child.once('spawn', () => {
          up();
          if (started.length === 1) child.kill('SIGKILL');
          else third.resolve();
        });
        return { child, askToStop: () => child.stdin.end() };
      },
    );
    await third.promise;
    assert.ok(kept.isUp());
    assert.deepEqual(
      logged.map(({ event, next_start_in_ms }) => [event, next_start_in_ms]),
      [
        ['ended', 100],
        ['not_started', 200],
      ],
    );
    await kept.stop();
    assert.ok(!kept.isUp());
    assert.equal(started.length, 3);
  });
}

test('what cannot be started at all is told at once', () => {
  assert.throws(
    () =>
      keepAlive('test', assert.fail, () => {
        throw new Error('spawn EMFILE');
      }),
    /EMFILE/,
  );
});
