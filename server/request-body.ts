import type { IncomingMessage } from 'node:http';

/** More than any form, sign-in or question of the desk takes, in bytes. */
const MAX_BYTES = 64 * 1024;
/** From the request's head to the end of its body, in milliseconds. */
const MAX_TIME = 5_000;

/** A request's whole body (empty where there is none), why it is refused, or undefined where the visitor has gone. */
export type Body = Buffer | 'too_large' | 'too_slow' | undefined;

/**
 * Reads a request's body before anything else is done for it. Whoever sends slowly then waits alone, and what goes on
 * to the backend has a known length, so that nothing in a body can pass for a request of its own.
 */
export function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    // Without a body there are no events either; see the gateway's `optimizeEmptyRequests`.
    if (request.readableEnded) return resolve(Buffer.alloc(0));
    if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return resolve('too_large');
    const chunks: Buffer[] = [];
    let size = 0;
    const late = setTimeout(() => resolve('too_slow'), MAX_TIME);
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      // Read on to the end, or the visitor would not get to read the refusal.
      if (size > MAX_BYTES) resolve('too_large');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => {
      clearTimeout(late);
      resolve(undefined);
    });
  });
}
