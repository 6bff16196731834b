import type { IncomingMessage, ServerResponse } from 'node:http';

/** More than any form, sign-in or call of the dashboard takes, in bytes. */
const MAX_BYTES = 64 * 1024;
/** Room that a body gets at first, in bytes. */
const FIRST_BYTES = 1024;
/** From the request's head to the end of its body, in milliseconds. */
const BODY_TIMEOUT_MS = 5_000;

const EMPTY = Buffer.alloc(0);

/** A request's whole body (empty where there is none), why it is rejected, or undefined where the visitor has gone. */
export type Body = Buffer | 'too_large' | 'too_slow' | undefined;

/**
 * Reads a request's body before anything else is done for it. A slow sender then waits alone, and what goes on to the
 * backend has a known length, so that nothing in a body can pass for a request of its own.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body> {
  // Without a body there are no events either; see the gateway's `optimizeEmptyRequests`.
  if (request.readableEnded) return Promise.resolve(EMPTY);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    // Copied together as they come: held one by one, chunks of one byte would take hundreds of bytes each.
    let bytes: Buffer = EMPTY;
    let size = 0;
    let settled = false;
    const settle = (body: Body) => {
      clearTimeout(timer);
      settled = true;
      resolve(body);
    };
    const timer = setTimeout(() => settle('too_slow'), BODY_TIMEOUT_MS);
    // Read on to the end in any case, or the visitor would not get to read the rejection.
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
