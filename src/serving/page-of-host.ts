import { namesOfHost } from '#contract/hosts.ts';

/**
 * Returns the page of a host's domain: on lap.app, `/` is `/sites/lap.app/` and `/de/` is
 * `/de/sites/lap.app/`. Undefined where there is no such page.
 * @param host the request's Host header
 * @param path of the request, decoded, without query
 * @param isPage whether a path has a page
 */
export function pageOfHost(
  host: string,
  path: string,
  isPage: (path: string) => boolean,
): string | undefined {
  const first = FIRST_PAGE.exec(path);
  if (!first) return undefined;
  return namesOfHost(host)
    .map((name) => `${first[1] ?? ''}/sites/${name}/`)
    .find(isPage);
}

/** `/`, or a language's `/de/` or `/de`. */
const FIRST_PAGE = /^(\/[a-zA-Z-]+)?\/?$/;
