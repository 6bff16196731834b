/** Returns the host and port of an http or https origin. Undefined for any other origin. */
export function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
}
