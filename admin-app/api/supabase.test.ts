import '../../src/api/settings.stub.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOffersApi } from './offers.ts';

test('every request times out after 20 s', async (context) => {
  let late = new AbortController();
  const timeout = context.mock.method(AbortSignal, 'timeout', () => {
    late = new AbortController();
    return late.signal;
  });
  context.mock.method(globalThis, 'fetch', (_: unknown, init?: RequestInit) => {
    setImmediate(() => late.abort());
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
  const times = timeout.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds);
  assert.deepEqual(times, [20_000, 20_000, 20_000]);
});
