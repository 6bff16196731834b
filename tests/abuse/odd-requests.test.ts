/** The generator of odd requests: whether it makes what it promises, and enough that a server understands. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sendBytes } from '../support/http-client.ts';
import { bytesOf, type OddRequest, oddRequest } from './odd-requests.ts';

const SAMPLE = fc.sample(oddRequest, { numRuns: 4_000, seed: 17 });

/** Attacks that have succeeded somewhere, each of which a run must contain. */
const MUST_OCCUR: [what: string, occurs: (request: OddRequest) => boolean][] = [
  [
    'a refresh that another parser reads as a password',
    ({ target }) => /[?&][^=&]*%[^=&]*=password/.test(target),
  ],
  ['a repeated grant type', ({ target }) => /grant_type=.*grant_type=/.test(target)],
  ['a detour by ..', ({ target }) => /\/x\/\.\.\//.test(target)],
  ['an encoded path', ({ target }) => /^\/[^?]*%[0-7]/.test(target)],
  ['a doubled slash', ({ target }) => /^\/[^?]*\/\//.test(target)],
  ['a backslash', ({ target }) => target.includes('\\')],
  ['a path parameter', ({ target }) => /^\/[^?]*;/.test(target)],
  ['the absolute form', ({ target }) => target.startsWith('http://')],
  ['array brackets', ({ target }) => target.includes('[]')],
  ['a null byte', ({ target }) => target.includes('%00')],
  ['a semicolon that separates', ({ target }) => /\?.*;/.test(target)],
  [
    'another method by a header',
    ({ headers }) => headers.some(([name]) => /^x[-_]http[-_]method/i.test(name)),
  ],
  ['an underscore in a header', ({ headers }) => headers.some(([name]) => name.includes('_'))],
  ['a folded header', ({ headers }) => headers.some(([, value]) => value.startsWith('\r\n '))],
  ['two media types', ({ headers }) => headers.filter(([name]) => /^content-type$/i.test(name)).length > 1],
  ['Prefer with blanks', ({ headers }) => headers.some(([, value]) => value.includes('count = planned'))],
  ['UTF-16', ({ body }) => body[1] === 0],
  ['gzip', ({ body }) => body[0] === 0x1f],
  ['a byte order mark', ({ body }) => body[0] === 0xef],
  ['a repeated key', ({ body }) => /"status".*"status"/.test(Buffer.from(body).toString())],
  ['chunks of a byte', ({ chunkSize }) => chunkSize === 1],
];

describe('odd requests', () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.on('error', () => {}).resume();
    request.on('end', () => response.end('ok'));
  });
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [what, occurs] of MUST_OCCUR) {
    test(`generated requests contain ${what}`, () => assert.ok(SAMPLE.some(occurs)));
  }

  test('Node’s server reads most generated requests, with the target unchanged', async () => {
    const { port } = server.address() as AddressInfo;
    const sent = SAMPLE.slice(0, 200);
    let read = 0;
    for (const request of sent) {
      const response = await sendBytes(port, bytesOf(request, 'localhost'));
      if (response.status !== 200) continue;
      read += 1;
      assert.equal(seen.at(-1), `${request.method} ${request.target}`);
    }
    assert.ok(read > sent.length / 4, `${read} of ${sent.length}`);
  });
});
