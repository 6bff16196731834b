/** The site as a Cloudflare Worker: a build's files by host, as server/http serves them. The backend is a hosted project. */
import { hostNameOf, isAdminHost } from '#contract/hosts.ts';
import { decodePath } from '../src/serving/decode-path.ts';
import {
  ADMIN_HEADERS,
  headersOf,
  hstsOf,
  noAdminHeaders,
  SECURITY_HEADERS,
} from '../src/serving/headers.ts';
import { hostText } from '../src/serving/host-text.ts';
import { LINK_HEADERS, mendedOfferLink } from '../src/serving/mangled-offer-link.ts';
import { notFoundPages } from '../src/serving/not-found-pages.ts';
import { pageOfHost } from '../src/serving/page-of-host.ts';
import type { Policies } from '../src/serving/policies.ts';
import { HOST_TEXT_PATHS, isAdminPath, isBackendPath } from '../src/serving/server-paths.ts';
import { isDomainPage, type StoredSiteFacts, siteFactsFrom } from '../src/serving/site-facts.ts';
import { sentence } from '../src/serving/text-response.ts';

const METHODS = 'GET, HEAD';
const NO_STORE = { 'cache-control': 'no-store' };
const SIGN_IN = { location: '/admin/login', ...NO_STORE };
type Build = { policies: Policies; siteFacts: StoredSiteFacts; adminHost?: string | undefined };
/** ASSETS has the build's files by their exact paths. */
type Env = { ASSETS: { fetch(request: Request): Promise<Response> } };

export function workerOf({ policies, siteFacts, adminHost }: Build) {
  const site = { ...siteFactsFrom(siteFacts), adminHost };
  return {
    async fetch(request: Request, env: Env): Promise<Response> {
      const url = new URL(request.url);
      const host = hostNameOf(request.headers.get('host') ?? url.host) ?? '';
      const response = host ? await respond(request, env, host, url) : sentence(400, 'Malformed host.');
      const headers = { ...SECURITY_HEADERS, 'strict-transport-security': hstsOf(host, site) };
      for (const [name, value] of Object.entries(headers))
        if (!response.headers.has(name)) response.headers.set(name, value);
      return response;
    },
  };

  async function respond(request: Request, { ASSETS }: Env, host: string, url: URL): Promise<Response> {
    const { method, headers } = request;
    if (isBackendPath(url.pathname)) return sentence(404, 'The backend is not on this host.', NO_STORE);
    if (!METHODS.split(', ').includes(method)) return sentence(405, `Only ${METHODS}.`, { allow: METHODS });
    if (HOST_TEXT_PATHS.has(url.pathname)) return await hostText(request, url.pathname, { host, site });
    const link = mendedOfferLink(url.pathname, url.search.slice(1));
    if (link) return sentence(302, 'The link is mended.', { location: link, ...LINK_HEADERS });
    const path = decodePath(url.pathname);
    const isAdmin = isAdminPath(path);
    if (isAdmin && !isAdminHost(host, site, false))
      return await missing(noAdminHeaders(headers.get('sec-fetch-dest')));
    if (/^\/admin\/?$/.test(path)) return sentence(302, 'The sign-in is at /admin/login.', SIGN_IN);
    const page = pageOfHost(host, path, (one) => isDomainPage(one, site)) ?? path;
    return (await file(page)) ?? (await file(`${page}/`)) ?? (await missing(isAdmin ? ADMIN_HEADERS : {}));

    async function missing(more: object): Promise<Response> {
      for (const page of notFoundPages(host, path, site)) {
        const found = await file(page, 404, more);
        if (found) return found;
      }
      return sentence(404, 'There is nothing at this path.');
    }
    async function file(name: string, status = 200, more = {}): Promise<Response | undefined> {
      const asset = assetPathOf(name);
      const known = (status === 200 && headers.get('if-none-match')) || '';
      const init = { method, headers: { 'if-none-match': known } };
      const found = asset && (await ASSETS.fetch(new Request(new URL(asset, url), init)));
      if (!found || (found.status !== 200 && found.status !== 304)) return undefined;
      const all = { ...more, ...headersOf(name, policies), etag: found.headers.get('etag') ?? '' };
      return new Response(found.body, { status: found.status === 304 ? 304 : status, headers: all });
    }
  }
}

/**
 * Empty and dotted segments: Cloudflare removes them when it looks up a file, which then is another one than the one whose
 * path was checked. Pages have no path with the name of their file.
 */
const NOT_A_FILE = /\/(?:\/|\.{1,2}(?:\/|$))|\/index\.html$/;

/** Returns the encoded path of a page's file; undefined where the path cannot have one. @param path decoded */
function assetPathOf(path: string): string | undefined {
  if (NOT_A_FILE.test(path)) return undefined;
  return path.replace(/\/$/, '/index.html').split('/').map(encodeURIComponent).join('/');
}
