import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let count = 0; count < 1_400; count += 1)
    assert.equal(chooseEncoding(Buffer.from(`${'q'.repeat(4_000)}${count}, br`).toString()), 'br');
  assert.ok(used() - before < 2 * 2 ** 20, `${used() - before} bytes are kept`);
});

test('a compressed page holds no more memory than its bytes', () => {
  const page = randomBytes(5_000);
  for (const encoding of ['br', 'gzip'] as const) {
    const { buffer, byteLength } = compressPage(page, encoding);
    assert.equal(buffer.byteLength, byteLength, encoding);
  }
});
