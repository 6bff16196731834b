/** Checks a page's responses: each encoding, 304 and HEAD. */
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { atLeast, type Row } from './rows.ts';

/** Returns a row per check, 1 if correct. Does not use `fetch`, which decompresses bodies. */
export async function httpChecksOf(url: string): Promise<Row[]> {
  const identity = await request(url, { 'accept-encoding': 'identity' });
  const brotli = await request(url, { 'accept-encoding': 'br, gzip' });
  const gzip = await request(url, { 'accept-encoding': 'gzip' });
  const etag = brotli.headers.etag ?? 'none';
  const unchanged = await request(url, { 'accept-encoding': 'br', 'if-none-match': etag });
  const head = await request(url, { 'accept-encoding': 'br' }, 'HEAD');
  const checks: Record<string, boolean> = {
    'brotli is the same page': same(brotli, 'br', brotliDecompressSync, identity),
    'gzip is the same page': same(gzip, 'gzip', gunzipSync, identity),
    'identity has no encoding':
      identity.headers['content-encoding'] === undefined && identity.body.byteLength > 0,
    'its ETag gets 304 without a body': unchanged.status === 304 && unchanged.body.byteLength === 0,
    'HEAD has the length and no body':
      head.status === 200 &&
      head.body.byteLength === 0 &&
      head.headers['content-length'] === brotli.headers['content-length'],
  };
  return Object.entries(checks).map(([what, correct]) => ({
    area: 'serve',
    what,
    ours: Number(correct),
    goal: atLeast(1),
  }));
}

interface HttpResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** With the body as it was sent. */
export function request(url: string, headers: Record<string, string>, method = 'GET'): Promise<HttpResponse> {
  return new Promise((done, fail) => {
    get(url, { method, headers }, async (response) => {
      const chunks = (await response.toArray()) as Buffer[];
      done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    }).once('error', fail);
  });
}

function same(
  response: HttpResponse,
  encoding: string,
  decompress: (body: Buffer) => Buffer,
  identity: HttpResponse,
): boolean {
  return response.headers['content-encoding'] === encoding && decompress(response.body).equals(identity.body);
}

/** The page's headers, for nginx to send as well. */
export async function headersOf(url: string): Promise<[name: string, value: string][]> {
  const own = /^(?:content-(?:type|length|encoding)|etag|date|connection|keep-alive|last-modified)$/;
  return [...(await fetch(url)).headers].filter(([name]) => !own.test(name));
}
