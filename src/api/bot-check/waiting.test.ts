import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { remainingLifetime, wait } from './waiting.ts';

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test('a token is dropped some seconds before it expires', () => {
  const left = remainingLifetime(inSeconds(100), 300);
  assert.ok(left > 90_000 && left <= 95_000, String(left));
});

test('a wrong clock makes a token neither endless nor expired on arrival', () => {
  assert.equal(remainingLifetime(inSeconds(7_200), 300), 295_000);
  assert.equal(remainingLifetime(inSeconds(-7_200), 300), 295_000);
});

test('waiting ends on time after the computer has slept', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  let over = false;
  const waiting = wait(1_300_000, new AbortController().signal).then(() => {
    over = true;
  });
  mock.timers.setTime(2_000_000);
  mock.timers.tick(0);
  await waiting;
  assert.ok(over);
  mock.timers.reset();
});

test('waiting ends when its signal aborts', async () => {
  await assert.rejects(wait(Date.now() + 60_000, AbortSignal.abort()));
});
