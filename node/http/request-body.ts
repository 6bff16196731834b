import type { IncomingMessage, ServerResponse } from 'node:http';

/** Larger than any form, sign-in or call of the dashboard. */
const MAX_BYTES = 64 * 1024;
/** Initial buffer of a body. */
const FIRST_BYTES = 1024;
/** From the request's headers to the end of its body. */
const BODY_TIMEOUT_MS = 5_000;

const EMPTY = Buffer.alloc(0);

/** A request's whole body (empty without one), the code of its rejection, or undefined if the client has disconnected. */
export type Body = Buffer | 'too_large' | 'too_slow' | undefined;

/**
 * Reads a request's body before anything else is done for it, so that a slow client blocks nothing else, and the forwarded
 * body has a known length, so that no request can be smuggled in it.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body> {
  // Without a body there are no events either; see the gateway's `optimizeEmptyRequests`.
  if (request.readableEnded) return Promise.resolve(EMPTY);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    // Chunks are copied into one buffer: stored one by one, chunks of one byte would take hundreds of bytes each.
    let bytes: Buffer = EMPTY;
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
      if (size + chunk.byteLength > MAX_BYTES) return settle('too_large');
      bytes = withRoom(bytes, size, size + chunk.byteLength);
      chunk.copy(bytes, size);
      size += chunk.byteLength;
    });
    request.once('end', () => settle(bytes.subarray(0, size)));
    for (const event of ['error', 'close'] as const) {
      request.once(event, () => request.readableEnded || settle(undefined));
    }
    response.once('close', () => settled || settle(undefined));
  });
}

/** The same bytes in a buffer that holds `needed` of them. */
function withRoom(bytes: Buffer, used: number, needed: number): Buffer {
  if (needed <= bytes.byteLength) return bytes;
  const larger = Buffer.allocUnsafeSlow(
    Math.min(MAX_BYTES, Math.max(needed, 2 * bytes.byteLength, FIRST_BYTES)),
  );
  bytes.copy(larger, 0, 0, used);
  return larger;
}
