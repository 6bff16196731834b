import type { IncomingMessage, ServerResponse } from 'node:http';

/** More than any form, sign-in or question of the desk takes, in bytes. */
const MAX_BYTES = 64 * 1024;
/** What the bodies of all requests that are not answered yet may take together, in bytes. */
const MAX_BYTES_OF_ALL = 64 * 1024 * 1024;
/** From the request's head to the end of its body, in milliseconds. */
const MAX_TIME = 5_000;

/** A request's whole body (empty where there is none), why it is refused, or undefined where the visitor has gone. */
export type Body = Buffer | 'too_large' | 'too_slow' | 'unavailable' | undefined;

/**
 * Reads a request's body before anything else is done for it. Whoever sends slowly then waits alone, and what goes on
 * to the backend has a known length, so that nothing in a body can pass for a request of its own.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body> {
  // Without a body there are no events either; see the gateway's `optimizeEmptyRequests`.
  if (request.readableEnded) return Promise.resolve(EMPTY);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const bytes = new GrowingBytes();
    const end = (body: Body) => {
      clearTimeout(late);
      // A whole body counts until it is answered: it may wait for the backend.
      if (Buffer.isBuffer(body) && !response.destroyed) response.once('close', () => bytes.letGo());
      else bytes.letGo();
      resolve(body);
    };
    const late = setTimeout(() => end('too_slow'), MAX_TIME);
    // Read on to the end in any case, or the visitor would not get to read the refusal.
    request.on('data', (chunk: Buffer) => {
      const refusal = bytes.add(chunk);
      if (refusal) end(refusal);
    });
    request.once('end', () => end(bytes.all()));
    request.once('error', () => end(undefined));
    request.once('close', () => request.readableEnded || end(undefined));
  });
}

const EMPTY = Buffer.alloc(0);

/** Of all requests together. */
let held = 0;

/** Copied together as they come: kept one by one, chunks of one byte would take hundreds of bytes each. */
class GrowingBytes {
  #bytes = EMPTY;
  #size = 0;
  #open = true;

  /** Keeps a chunk, unless that would be too much. */
  add(chunk: Buffer): 'too_large' | 'unavailable' | undefined {
    if (!this.#open) return undefined;
    const size = this.#size + chunk.byteLength;
    if (size > MAX_BYTES) return 'too_large';
    if (size > this.#bytes.byteLength && !this.#grow(size)) return 'unavailable';
    chunk.copy(this.#bytes, this.#size);
    this.#size = size;
    return undefined;
  }

  all(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  letGo(): void {
    held -= this.#bytes.byteLength;
    this.#bytes = EMPTY;
    this.#open = false;
  }

  #grow(size: number): boolean {
    const room = Math.min(MAX_BYTES, Math.max(size, 2 * this.#bytes.byteLength, 1024));
    if (held + room - this.#bytes.byteLength > MAX_BYTES_OF_ALL) return false;
    held += room - this.#bytes.byteLength;
    const larger = Buffer.allocUnsafeSlow(room);
    this.#bytes.copy(larger);
    this.#bytes = larger;
    return true;
  }
}
