/** The host and port of an http or https origin; undefined where the header `Origin` has no such origin. */
export function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
}
