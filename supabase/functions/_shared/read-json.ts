import { readBounded } from './read-bounded.ts';
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

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new Rejection('malformed');
  }
}

async function readBytes(request: Request, { maxBytes, timeoutMs }: BodyBounds): Promise<ArrayBuffer> {
  const reader = request.body?.getReader();
  if (!reader) throw new Rejection('malformed');
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  try {
    const bytes = await readBounded(reader, maxBytes).catch(() => {
      throw new Rejection(late ? 'too_slow' : 'malformed');
    });
    // A cancelled body ends like a complete one.
    if (late) throw new Rejection('too_slow');
    if (bytes === undefined) throw new Rejection('too_large');
    return bytes;
  } finally {
    clearTimeout(timer);
  }
}
