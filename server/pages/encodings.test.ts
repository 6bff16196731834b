import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { heapUsed } from '../../tests/support/heap-used.ts';
import { chooseEncoding, compressPage } from './encodings.ts';

test('an encoding is sent only if the client accepts it', () => {
  for (const [accepts, expected] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, br', 'br'],
    ['br;q=0.1,gzip', 'br'],
    ['*', 'br'],
    ['identity;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['BR ; Q=0.000, gzip', 'gzip'],
    // An encoding that is named counts more than the asterisk, whichever comes first.
    ['*, br;q=0', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['brx, gzipx', 'identity'],
  ] as const) {
    assert.equal(chooseEncoding(accepts), expected, accepts);
  }
});

test('headers that were read are not kept for ever', () => {
  const before = heapUsed();
  for (let count = 0; count < 1_400; count += 1)
    assert.equal(chooseEncoding(Buffer.from(`${'q'.repeat(4_000)}${count}, br`).toString()), 'br');
  const kept = heapUsed() - before;
  assert.ok(kept < 2 * 2 ** 20, `${kept} bytes are kept`);
});

test('a compressed page holds no more memory than its bytes', () => {
  const page = randomBytes(5_000);
  for (const encoding of ['br', 'gzip'] as const) {
    const { buffer, byteLength } = compressPage(page, encoding);
    assert.equal(buffer.byteLength, byteLength, encoding);
  }
});
