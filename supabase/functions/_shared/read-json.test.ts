import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from './read-json.ts';

const BOUNDS = { bytes: 100, milliseconds: 200 };
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
  assert.ok('object' in (await readJson(streamed([text(100)]), BOUNDS)));
  assert.deepEqual(await readJson(streamed([text(101)]), BOUNDS), { refusal: 'too_large' });
  const chunks = [...text(1_000)];
  assert.deepEqual(
    await readJson(streamed(chunks, true), BOUNDS),
    { refusal: 'too_large' },
    'before its end',
  );
});

test('a body that declares too much is not read', async () => {
  const request = new Request('http://localhost', {
    method: 'POST',
    headers: { ...JSON_TYPE, 'content-length': '101' },
    body: '{}',
  });
  assert.deepEqual(await readJson(request, BOUNDS), { refusal: 'too_large' });
});

test('a body that does not end is too slow', async () => {
  assert.deepEqual(await readJson(streamed(['{'], true), BOUNDS), { refusal: 'too_slow' });
});

test('a body that is no JSON object in UTF-8 is malformed', async () => {
  for (const body of ['', '[]', 'null', '1', '{', '\ufeff{}x']) {
    assert.deepEqual(await readJson(streamed([body]), BOUNDS), { refusal: 'malformed' }, body);
  }
  const request = new Request('http://localhost', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: '{}',
  });
  assert.deepEqual(await readJson(request, BOUNDS), { refusal: 'not_json' });
});
