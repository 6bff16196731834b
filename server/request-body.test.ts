import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readBody } from './request-body.ts';

const KILOBYTES_64 = Buffer.alloc(64 * 1024, 'a');

test('all bodies together have a bound, which counts them until they are answered', async () => {
  const first = Array.from({ length: 1024 }, () => sent(KILOBYTES_64));
  for (const { body } of first) assert.deepEqual(await body, KILOBYTES_64);
  assert.equal(await sent(KILOBYTES_64).body, 'unavailable');
  for (const { answered } of first) answered();
  assert.deepEqual(await sent(KILOBYTES_64).body, KILOBYTES_64);
});

test('a refused body, and one whose visitor has gone, count no more', async () => {
  for (let round = 0; round < 2_000; round += 1) {
    const large = sent(KILOBYTES_64, KILOBYTES_64);
    assert.equal(await large.body, 'too_large');
    const gone = sent();
    gone.request.write('half');
    gone.request.destroy();
    assert.equal(await gone.body, undefined);
  }
});

function sent(...chunks: Buffer[]) {
  const request = Object.assign(new PassThrough(), { headers: {} });
  const response = new EventEmitter();
  const body = readBody(request as unknown as IncomingMessage, response as ServerResponse);
  for (const chunk of chunks) request.write(chunk);
  if (chunks.length > 0) request.end();
  return { request, body, answered: () => response.emit('close') };
}
