import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pageWriter } from './page-writer.ts';

const root = mkdtempSync(join(tmpdir(), 'pages-'));
after(() => rmSync(root, { recursive: true }));

const MEGABYTE = 1024 * 1024;
const page = (text: string, size: number) =>
  Buffer.from(`<head><style>p{}</style></head><p>${text}</p>`.padEnd(size, ' '));

test('pages of any size come out as they went in, however many wait for their compression', () => {
  const pages = new Map([
    ['/', page('home: 1 € 😀 ü', 100)],
    ['/sites/a.example/', page('a', 3 * MEGABYTE)],
    ['/sites/b.example/', page('b', 2 * MEGABYTE)],
    ['/sites/large.example/', page('larger than all that wait together', 5 * MEGABYTE)],
    ['/sites/c.example/', page('c', 2 * MEGABYTE)],
    ['/404.html', page('not found', 300)],
  ]);
  const writer = pageWriter(root, 10_000);
  for (const [address, html] of pages) writer.add(address, html.toString('latin1'));
  writer.end();
  for (const [address, html] of pages) {
    const file = join(root, address.endsWith('/') ? `${address}index.html` : address);
    assert.ok(readFileSync(file).equals(html), address);
    if (html.byteLength < 200) continue;
    assert.ok(brotliDecompressSync(readFileSync(`${file}.br`)).equals(html), `${address} in brotli`);
    assert.ok(gunzipSync(readFileSync(`${file}.gz`)).equals(html), `${address} in gzip`);
  }
});
