import '../../src/api/settings.stub.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOffersApi } from './offers.ts';

test('every request times out after 20 s', async (context) => {
  const times: number[] = [];
  const { setTimeout: setTimer } = globalThis;
  context.mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
    if (milliseconds < 10_000) return setTimer(act, milliseconds);
    times.push(milliseconds);
    return setTimer(act, 0);
  });
  context.mock.method(globalThis, 'fetch', (_: unknown, init?: RequestInit) => {
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  });
  const { supabase, authenticate } = await import('./supabase.ts');
  const { signal } = new AbortController();
  await assert.rejects(createOffersApi(supabase).readPage({}, undefined, signal));
  await assert.rejects(createOffersApi(supabase).readPageIndex({}, signal));
  const signedIn = await authenticate({ email: 'ada@example.com', password: 'correct horse' });
  assert.equal(signedIn.ok, false);
  assert.deepEqual(times, [20_000, 20_000, 20_000]);
});
