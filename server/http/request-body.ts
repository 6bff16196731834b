import type { IncomingMessage, ServerResponse } from 'node:http';

/** Larger than any form, sign-in or call of the dashboard. */
const MAX_BYTES = 64 * 1024;
/** Chunks until they are joined: one by one, chunks of one byte would take hundreds of bytes each. */
const MAX_CHUNKS = 32;
/** From the request's headers to the end of its body. */
const BODY_TIMEOUT_MS = 5_000;

/** A request's whole body, the code of its rejection, or undefined if the client has disconnected. */
export type Body = Buffer | 'too_large' | 'too_slow' | undefined;

/**
 * Reads a request's body before anything else is done for it, so that a slow client blocks nothing else, and the forwarded
 * body has a known length, so that no request can be smuggled in it.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: Body) => {
      clearTimeout(timer);
      settled = true;
      resolve(body);
    };
    const timer = setTimeout(() => settle('too_slow'), BODY_TIMEOUT_MS);
    // Reads to the end in any case, otherwise the client would not receive the rejection.
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      size += chunk.byteLength;
      if (size > MAX_BYTES) return settle('too_large');
      chunks.push(chunk);
      if (chunks.length === MAX_CHUNKS) chunks = [Buffer.concat(chunks)];
    });
    request.once('end', () => settle(Buffer.concat(chunks)));
    for (const event of ['error', 'close'] as const) {
      request.once(event, () => request.readableEnded || settle(undefined));
    }
    response.once('close', () => settled || settle(undefined));
  });
}
