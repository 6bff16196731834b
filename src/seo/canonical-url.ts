/** The URLs of a page: visitors reach it on every host, search engines index it on one. */
export interface PageLocation {
  /** Its path on every host, without the language prefix: `/sites/lap.app/`. */
  readonly path: string;
  /** The origin of its canonical URL, such as `https://lap.app`; undefined where the catalogue names no host. */
  readonly origin: string | undefined;
  /** Its path on that origin, without the language prefix: `/`. */
  readonly ownPath: string;
}

/** A domain's page belongs to the domain's own host. */
export function locationOfDomain(name: string): PageLocation {
  return { path: `/sites/${name}/`, origin: `https://${name}`, ownPath: '/' };
}

/** A page of the whole site belongs to the first of the other hosts that the catalogue names. */
export function locationOnSite(path: string, hosts: readonly string[]): PageLocation {
  return { path, origin: hosts[0] && `https://${hosts[0]}`, ownPath: path };
}

/** The canonical URL of a page; a path where there is no origin. */
export function canonicalUrl({ origin = '', ownPath }: PageLocation, prefix: string): string {
  return origin + prefix + ownPath;
}
