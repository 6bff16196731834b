import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from './read-json.ts';

const BOUNDS = { maxBytes: 100, timeoutMs: 60_000 };
const JSON_TYPE = { 'content-type': 'application/json' };

function streamed(chunks: string[], endless = false): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (!endless) controller.close();
    },
  });
  return new Request('http://localhost', {
    method: 'POST',
    headers: JSON_TYPE,
    body,
    duplex: 'half',
  } as RequestInit);
}

test('the size of a body without a declared length is counted while it is read', async () => {
  const text = (length: number) => JSON.stringify({ text: 'a'.repeat(length - '{"text":""}'.length) });
  assert.deepEqual(await readJson(streamed([text(100)]), BOUNDS), JSON.parse(text(100)));
  await assert.rejects(readJson(streamed([text(101)]), BOUNDS), { code: 'too_large' });
  const chunks = [...text(1_000)];
  await assert.rejects(readJson(streamed(chunks, true), BOUNDS), { code: 'too_large' }, 'before its end');
});

test('a body whose declared length is too large is not read', async () => {
  const request = new Request('http://localhost', {
    method: 'POST',
    headers: { ...JSON_TYPE, 'content-length': '101' },
    body: '{}',
  });
  await assert.rejects(readJson(request, BOUNDS), { code: 'too_large' });
});

test('a body that does not end is rejected as too slow', async () => {
  await assert.rejects(readJson(streamed(['{'], true), { ...BOUNDS, timeoutMs: 50 }), { code: 'too_slow' });
});

test('a body that is no JSON object in UTF-8 is rejected', async () => {
  for (const body of ['', '[]', 'null', '1', '{', '\ufeff{}x']) {
    await assert.rejects(readJson(streamed([body]), BOUNDS), { code: 'malformed' }, body);
  }
  const request = new Request('http://localhost', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: '{}',
  });
  await assert.rejects(readJson(request, BOUNDS), { code: 'not_json' });
});
