export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * The best encoding that the file has and the visitor takes.
 * @param accepts the request's Accept-Encoding header
 */
export function chooseEncoding(accepts: string | undefined, has: ReadonlySet<Encoding>): Encoding {
  if (accepts === undefined) return 'identity';
  return encodingsOf(accepts).find((encoding) => has.has(encoding)) ?? 'identity';
}

/** The better first. Remembered, because browsers say the same few things all day. */
function encodingsOf(accepts: string): Encoding[] {
  let encodings = said.get(accepts);
  if (!encodings) {
    encodings = (['br', 'gzip'] as const).filter((encoding) => takes(accepts, encoding));
    if (said.size < 100) said.set(accepts, encodings);
  }
  return encodings;
}
const said = new Map<string, Encoding[]>();

function takes(accepts: string, encoding: string): boolean {
  for (const part of accepts.split(',')) {
    const [name, ...parameters] = part.split(';');
    const asked = name?.trim().toLowerCase();
    if (asked === encoding || asked === '*') return !parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
  }
  return false;
}
