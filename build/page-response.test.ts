import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPagesInResponses, takePage } from './page-response.ts';

const Platform = Response;
keepPagesInResponses();

const PAGE = new TextEncoder().encode('<p>{"ü":1}</p>');
const JSON_BYTES = new TextEncoder().encode('{"ü":1}');

test('a page comes out as it went in, without a copy, and once', () => {
  const response = new Response(PAGE);
  assert.equal(takePage(response), PAGE);
  assert.equal(takePage(response), undefined);
  for (const other of [new Response('text'), new Response(null), Response.json({}), new Platform(PAGE)])
    assert.equal(takePage(other), undefined);
});

test('whoever reads it in another way gets what the platform gives', async () => {
  const init = { status: 201, statusText: 'Made', headers: { 'content-type': 'application/json' } };
  const ours = () => new Response(JSON_BYTES, init);
  const theirs = () => new Platform(JSON_BYTES, init);
  for (const read of [
    (response: Response) => response.text(),
    (response: Response) => response.json(),
    (response: Response) => response.arrayBuffer(),
    (response: Response) => response.bytes(),
    async (response: Response) => (await response.blob()).text(),
    (response: Response) => response.clone().text(),
    (response: Response) => new Platform(response.body, response).text(),
    async ({ status, statusText, ok, headers }: Response) => [status, statusText, ok, [...headers]],
  ])
    assert.deepEqual(await read(ours()), await read(theirs()));
});

test('other bodies are the platform’s', async () => {
  assert.equal(await new Response('text').text(), 'text');
  assert.equal(new Response(null).body, null);
  assert.deepEqual(await Response.json({ a: 1 }).json(), { a: 1 });
});

test('every Response is one', () => {
  for (const one of [new Response(PAGE), new Response(), Response.json({}), new Platform(), Response.error()])
    assert.ok(one instanceof Response);
  assert.equal({} instanceof Response, false);
});
