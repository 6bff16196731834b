/** Whether a page is answered as HTTP has it: each encoding, unchanged, and without its body. */
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { atLeast, type Row } from './rows.ts';

/** One row each, 1 where it is right; asked without `fetch`, which decompresses by itself. */
export async function answersOf(url: string): Promise<Row[]> {
  const identity = await ask(url, { 'accept-encoding': 'identity' });
  const brotli = await ask(url, { 'accept-encoding': 'br, gzip' });
  const gzip = await ask(url, { 'accept-encoding': 'gzip' });
  const etag = brotli.headers.etag ?? 'none';
  const unchanged = await ask(url, { 'accept-encoding': 'br', 'if-none-match': etag });
  const head = await ask(url, { 'accept-encoding': 'br' }, 'HEAD');
  const checks: Record<string, boolean> = {
    'brotli is the same page': same(brotli, 'br', brotliDecompressSync, identity),
    'gzip is the same page': same(gzip, 'gzip', gunzipSync, identity),
    'identity has no encoding':
      identity.headers['content-encoding'] === undefined && identity.body.byteLength > 0,
    'its ETag is answered with 304 and no body': unchanged.status === 304 && unchanged.body.byteLength === 0,
    'HEAD has the length and no body':
      head.status === 200 &&
      head.body.byteLength === 0 &&
      head.headers['content-length'] === brotli.headers['content-length'],
  };
  return Object.entries(checks).map(([what, right]) => ({
    area: 'serve',
    what,
    ours: Number(right),
    goal: atLeast(1),
  }));
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return new Promise((done, fail) => {
    get(url, { method, headers }, async (response) => {
      const chunks = (await response.toArray()) as Buffer[];
      done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    }).once('error', fail);
  });
}

function same(
  answer: Answer,
  encoding: string,
  decompress: (body: Buffer) => Buffer,
  identity: Answer,
): boolean {
  return answer.headers['content-encoding'] === encoding && decompress(answer.body).equals(identity.body);
}
