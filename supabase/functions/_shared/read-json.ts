import { Rejection } from './rejection.ts';

export interface BodyBounds {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads a request's body as one JSON object in strict UTF-8, counting its bytes while it reads.
 * @throws Rejection
 */
export async function readJson(request: Request, bounds: BodyBounds): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Rejection('not_json');
  if (Number(request.headers.get('content-length') ?? 0) > bounds.maxBytes) throw new Rejection('too_large');
  const value = parse(await readBytes(request, bounds));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Rejection('malformed');
  return value as Record<string, unknown>;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new Rejection('malformed');
  }
}

async function readBytes(request: Request, bounds: BodyBounds): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bounds.timeoutMs);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Rejection(late ? 'too_slow' : 'malformed');
      });
      if (late) throw new Rejection('too_slow');
      if (done) break;
      length += value.byteLength;
      if (length > bounds.maxBytes) {
        reader.cancel().catch(() => {});
        throw new Rejection('too_large');
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}
