import { request } from 'node:http';
import type { Product } from '../support/product.ts';

/** The bytes of a file in brotli. */
export function transferSizeOf({ port }: Product, path: string): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { host: 'localhost', 'accept-encoding': 'br' };
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
      });
      response.on('end', () => done(size));
    })
      .on('error', fail)
      .end();
  });
}
