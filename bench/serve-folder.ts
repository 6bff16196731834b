/** Serves a peer's files on a free port, with cached brotli compression. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

export interface Served {
  readonly origin: string;
  close(): void;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain',
};

export async function serveFolder(folder: string): Promise<Served> {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url ?? '/');
    if (file === undefined) return response.writeHead(404).end();
    const body = compressed.get(file) ?? brotliCompressSync(readFileSync(file));
    compressed.set(file, body);
    return response
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'br',
        'content-length': body.byteLength,
      })
      .end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function fileOf(folder: string, url: string): string | undefined {
  const path = join(folder, normalize(new URL(url, 'http://localhost').pathname));
  const file = path.endsWith('/') ? join(path, 'index.html') : path;
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}
