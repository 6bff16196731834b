import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { gzipAlike } from './gzip-alike.ts';

const sheet = Array.from({ length: 300 }, (_, n) => `.rule${n}{color:#${n}${n}${n}}`).join('');
const page = (text: string, style = sheet) => Buffer.from(`<head><style>${style}</style><p>${text}</p>`);
const PAGES = [
  page('€ 😀 .rule7{color:#777}'),
  page('two'),
  page('three', `${sheet}.more{}`),
  Buffer.from(''),
  Buffer.from('no page'),
  page('', ''),
  Buffer.from('</style>'),
  page('x'.repeat(100_000)),
  Buffer.from(`<style>${'long '.repeat(20_000)}</style>`),
  page('two'),
];

test('each body comes out as it went in, whatever came before it', () => {
  const compress = gzipAlike(6);
  for (const body of PAGES) assert.ok(gunzipSync(compress(body)).equals(body), body.toString().slice(-30));
});

test('nearly as small as in one piece', () => {
  const body = page(sheet.slice(0, 2_000));
  const compress = gzipAlike(6);
  compress(page('another'));
  assert.ok(compress(body).byteLength < gzipSync(body).byteLength * 1.01 + 16);
});
