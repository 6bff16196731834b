export type Encoding = 'br' | 'gzip' | 'identity';

/** By Accept-Encoding header: browsers send few different ones. */
const chosen = new Map<string, Encoding>();
const MAX_HEADERS = 100;

/**
 * Chooses the best encoding of a compressed file that the client accepts.
 * @param accepts the request's Accept-Encoding header
 */
export function chooseEncoding(accepts = ''): Encoding {
  let encoding = chosen.get(accepts);
  if (!encoding) {
    encoding = (['br', 'gzip'] as const).find((one) => isAccepted(accepts, one)) ?? 'identity';
    if (chosen.size < MAX_HEADERS) chosen.set(accepts, encoding);
  }
  return encoding;
}

function isAccepted(accepts: string, encoding: string): boolean {
  const offers = accepts.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    return { name, isRejected: parameters.some((one) => /^q=0(\.0*)?$/.test(one)) };
  });
  const offer = offers.find(({ name }) => name === encoding) ?? offers.find(({ name }) => name === '*');
  return offer !== undefined && !offer.isRejected;
}
