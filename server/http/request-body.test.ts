import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readBody } from './request-body.ts';

const KILOBYTES_64 = Buffer.alloc(64 * 1024, 'a');

test('a body is read whole from any chunks', async () => {
  assert.deepEqual(await sent(KILOBYTES_64).body, KILOBYTES_64);
  assert.equal(
    String(await sent(Buffer.from('a'), Buffer.from('b'.repeat(3_000)), Buffer.from('c')).body),
    `a${'b'.repeat(3_000)}c`,
  );
});

test('one byte more than 64 kB is too large', async () => {
  // Not assert.equal: the difference from a body of this size takes minutes to print.
  assert.ok((await sent(KILOBYTES_64, Buffer.from('a')).body) === 'too_large');
});

test('an aborted request has no body', async () => {
  const { request, body } = sent();
  request.write('half');
  request.destroy();
  assert.equal(await body, undefined);
});

function sent(...chunks: Buffer[]) {
  const request = Object.assign(new PassThrough(), { headers: {} });
  const response = new EventEmitter();
  const body = readBody(request as unknown as IncomingMessage, response as ServerResponse);
  for (const chunk of chunks) request.write(chunk);
  if (chunks.length > 0) request.end();
  return { request, body };
}
