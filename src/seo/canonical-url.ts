/** Where a page stands: for visitors on every host, and for search engines on one, so that they list it once. */
export interface Place {
  /** Its address on every host, without its language: `/sites/lap.app/`. */
  readonly path: string;
  /** The host where search engines shall know it, as `https://lap.app`; undefined where the catalogue names none. */
  readonly origin: string | undefined;
  /** Its address there, without its language: `/`. */
  readonly ownPath: string;
}

/** A domain's page belongs to the domain's own host. */
export function placeOfDomain(name: string): Place {
  return { path: `/sites/${name}/`, origin: `https://${name}`, ownPath: '/' };
}

/** A page of the whole site belongs to the first of the other hosts that the catalogue names. */
export function placeOnSite(path: string, hosts: readonly string[]): Place {
  return { path, origin: hosts[0] && `https://${hosts[0]}`, ownPath: path };
}

/** Where search engines know a page of an site; without a host where there is none. */
export function addressAt({ origin = '', ownPath }: Place, prefix: string): string {
  return origin + prefix + ownPath;
}
