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
  const offers = accepts.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    return { name, isRejected: parameters.some((one) => /^q=0(\.0*)?$/.test(one)) };
  });
  const offer = offers.find(({ name }) => name === encoding) ?? offers.find(({ name }) => name === '*');
  return offer !== undefined && !offer.isRejected;
}
