/** The content security policies of a build: one for all pages, and those of the administrator's and the buyer's. */
export interface Policies {
  /** The policy of all other pages. */
  readonly everywhere: string;
  /** By the page's path without trailing slash or `.html`. */
  readonly pages: Readonly<Record<string, string>>;
}

/** Removes the end of `/sites/lap.app/` and `/404.html`. */
export function withoutEnding(path: string): string {
  return path === '/' ? path : path.replace(/(?:\/|\.html)$/, '');
}
