export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * Chooses the best encoding that the file has and the client accepts.
 * @param accepts the request's Accept-Encoding header
 */
export function chooseEncoding(accepts: string | undefined, has: ReadonlySet<Encoding>): Encoding {
  if (accepts === undefined) return 'identity';
  return encodingsOf(accepts).find((encoding) => has.has(encoding)) ?? 'identity';
}

/** Returns the accepted encodings, best first. Cached, because browsers send few different headers. */
function encodingsOf(accepts: string): Encoding[] {
  let encodings = parsed.get(accepts);
  if (!encodings) {
    encodings = (['br', 'gzip'] as const).filter((encoding) => isAccepted(accepts, encoding));
    if (parsed.size < 100) parsed.set(accepts, encodings);
  }
  return encodings;
}
const parsed = new Map<string, Encoding[]>();

function isAccepted(accepts: string, encoding: string): boolean {
  for (const part of accepts.split(',')) {
    const [name, ...parameters] = part.split(';');
    const offered = name?.trim().toLowerCase();
    if (offered === encoding || offered === '*')
      return !parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
  }
  return false;
}
