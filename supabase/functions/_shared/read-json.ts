import type { RefusalCode } from './contract/refusals.ts';

/** Bounds of a request's body. */
export interface BodyBounds {
  readonly bytes: number;
  readonly milliseconds: number;
}

export type ReadJson = { object: Record<string, unknown> } | { refusal: RefusalCode };

/** Reads a request's body as one JSON object in strict UTF-8, counting while it reads. */
export async function readJson(request: Request, bounds: BodyBounds): Promise<ReadJson> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) return { refusal: 'not_json' };
  if (Number(request.headers.get('content-length') ?? 0) > bounds.bytes) return { refusal: 'too_large' };
  const bytes = await readBytes(request, bounds);
  if (!(bytes instanceof Uint8Array)) return { refusal: bytes };
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes),
    );
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { refusal: 'malformed' };
    return { object: value as Record<string, unknown> };
  } catch {
    return { refusal: 'malformed' };
  }
}

async function readBytes(request: Request, bounds: BodyBounds): Promise<Uint8Array | RefusalCode> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bounds.milliseconds);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return 'too_slow';
      if (done) break;
      length += value.byteLength;
      if (length > bounds.bytes) {
        reader.cancel().catch(() => {});
        return 'too_large';
      }
      chunks.push(value);
    }
  } catch {
    return late ? 'too_slow' : 'malformed';
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
