/**
 * The table of hosts: requests to a site and their responses, the same whichever program serves the site. Data alone, so
 * that every way of serving can be tested with it.
 */

/** The site of the table, as a catalogue (JSON is YAML). */
export const CATALOGUE_OF_HOSTS = {
  settings: {
    brokerUrl: 'https://broker.example/{domain}',
    languages: ['en', 'de'],
    hosts: ['names.example.com'],
    contact: 'offers@example.com',
  },
  domains: [
    { name: 'lap.app', price: '$10,000', description: 'Three letters.', hasBroker: true },
    { name: 'xn--bcher-kva.example', price: '$5,000', description: 'Books.', hasBroker: true },
    { name: 'sold.example', price: '$1,000', description: 'Gone.', hasBroker: true, state: 'sold' },
  ],
};
export const ADMIN_HOST_OF_TABLE = 'admin.example';

export interface HostCase {
  readonly what: string;
  /** The Host header, or several. */
  readonly host: string | readonly string[];
  /** As it is sent; `{script}` stands for a file of the build in `/_astro/`. */
  readonly path: string;
  /** Absent: GET. */
  readonly method?: 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** `4xx`: malformed, with any such status and no page. */
  readonly status: number | '4xx';
  /** File of the build that is the body; absent: the body is no file. */
  readonly shows?: string;
  /** Headers with these values. All others of the definition are compared between the servers. */
  readonly expects?: Readonly<Record<string, string | undefined>>;
}

const LAP_APP = 'sites/lap.app/index.html';
const HOME = 'index.html';
/** On the host of a name that is for sale. */
const NOT_FOUND = '404-for-sale/index.html';
const NOT_FOUND_IN_GERMAN = 'de/404-for-sale/index.html';
const NOT_FOUND_ELSEWHERE = '404.html';
const [A_DAY, A_YEAR] = ['max-age=86400', 'max-age=31536000'];
/** What a browser gets that opens the page. */
const CLEARED = { headers: { 'sec-fetch-dest': 'document' }, expects: { 'clear-site-data': '"storage"' } };

function page(what: string, host: string, shows: string, path = '/'): HostCase {
  return { what, host, path, status: 200, shows, expects: { 'strict-transport-security': A_DAY } };
}

function missing(what: string, path: string, shows = NOT_FOUND): HostCase {
  return { what, host: 'lap.app', path, status: 404, shows, expects: { 'clear-site-data': undefined } };
}

function malformed(what: string, path: string, host: HostCase['host'] = 'lap.app'): HostCase {
  return { what, host, path, status: '4xx' };
}

export const HOST_CASES: readonly HostCase[] = [
  page('a domain', 'lap.app', LAP_APP),
  page('with www.', 'www.lap.app', LAP_APP),
  page('in upper case', 'LAP.App', LAP_APP),
  page('with a port', 'lap.app:8443', LAP_APP),
  page('with a trailing dot', 'lap.app.', LAP_APP),
  page('with .localhost', 'lap.app.localhost', LAP_APP),
  page('punycode', 'xn--bcher-kva.example', 'sites/xn--bcher-kva.example/index.html'),
  page('a sold domain', 'www.sold.example', 'sites/sold.example/index.html'),
  page('an unknown host', 'unknown.example', HOME),
  page('an IPv6', '[::1]:4321', HOME),
  page('an IPv4', '127.0.0.1:4321', HOME),
  {
    ...page('a host of the site', 'names.example.com', HOME),
    expects: { 'strict-transport-security': A_YEAR },
  },
  page('the second language', 'www.lap.app', `de/${LAP_APP}`, '/de/'),
  page('without a slash', 'lap.app', `de/${LAP_APP}`, '/de'),
  page('of another host', 'unknown.example', 'de/index.html', '/de/'),
  page('by its path', 'unknown.example', LAP_APP, '/sites/lap.app'),
  ...['lap.app', 'sold.example', 'names.example.com', 'unknown.example'].map((host) => ({
    ...page('the buyer’s page', host, 'offer/index.html', '/offer/'),
    expects: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  })),
  page('the buyer’s page in German', 'lap.app', 'de/offer/index.html', '/de/offer'),
  page('with a query', 'lap.app', LAP_APP, '/sites/lap.app/?from=//mail/../'),
  page('with an escape', 'lap.app', LAP_APP, '/sites/lap%2Eapp/'),
  page('a URL instead of a path', 'lap.app', LAP_APP, 'http://lap.app'),
  { ...page('HEAD', 'lap.app', LAP_APP), method: 'HEAD' },
  {
    ...page('brotli', 'lap.app', `${LAP_APP}.br`),
    headers: { 'accept-encoding': 'gzip, deflate, br' },
    expects: { 'content-encoding': 'br' },
  },
  {
    ...page('gzip', 'lap.app', `${LAP_APP}.gz`),
    headers: { 'accept-encoding': 'gzip' },
    expects: { 'content-encoding': 'gzip' },
  },
  {
    ...page('a script', 'lap.app', '{script}', '/{script}'),
    expects: {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    },
  },
  {
    ...page('a share image', 'lap.app', 'share/home.png', '/share/home.png'),
    expects: { 'cache-control': 'public, max-age=86400', 'content-type': 'image/png' },
  },
  missing('an unknown path', '/nothing'),
  missing('in German', '/de/nothing', NOT_FOUND_IN_GERMAN),
  ...['www.sold.example', 'names.example.com', 'unknown.example'].map((host) => ({
    ...missing('an unknown path elsewhere', '/old/page.html', NOT_FOUND_ELSEWHERE),
    host,
  })),
  missing('an unknown script', '/_astro/none.js'),
  missing('an unknown image', '/share/none.png'),
  missing('the file of a page', '/index.html'),
  missing('a compressed file', '/index.html.br'),
  missing('a compressed script', '/{script}.br'),
  missing('a language in capitals', '/DE/'),
  missing('a folder', '/share/'),
  missing('a file beside the site', '/policies.json'),
  {
    what: 'sign-in',
    host: ADMIN_HOST_OF_TABLE,
    path: '/admin/login',
    status: 200,
    shows: 'admin/login/index.html',
    expects: { 'cache-control': 'no-store', 'strict-transport-security': A_YEAR },
  },
  {
    what: '/admin on its host',
    host: ADMIN_HOST_OF_TABLE,
    path: '/admin',
    status: 302,
    expects: { location: '/admin/login' },
  },
  { ...missing('on a domain', '/admin/login'), ...CLEARED },
  { ...missing('escaped', '/%61dmin/login'), ...CLEARED },
  {
    ...missing('on the site’s host', '/admin', NOT_FOUND_ELSEWHERE),
    host: 'names.example.com',
    ...CLEARED,
  },
  {
    ...missing('nothing below /admin', '/admin/nothing', NOT_FOUND_ELSEWHERE),
    host: ADMIN_HOST_OF_TABLE,
    expects: { 'cross-origin-opener-policy': 'same-origin' },
  },
  {
    what: 'robots.txt',
    host: 'www.lap.app',
    path: '/robots.txt',
    status: 200,
    expects: { 'strict-transport-security': A_DAY },
  },
  { what: 'sitemap.xml', host: 'lap.app', path: '/sitemap.xml', status: 200 },
  { what: 'security.txt', host: 'lap.app', path: '/.well-known/security.txt', status: 200 },
  { what: '/health', host: 'lap.app', path: '/health', status: 200 },
  {
    what: 'the backend',
    host: 'lap.app',
    path: '/rest/v1/offers',
    status: 401,
    expects: { 'cache-control': 'no-store' },
  },
  {
    what: 'POST to a page',
    host: 'lap.app',
    path: '/',
    method: 'POST',
    status: 405,
    expects: { allow: 'GET, HEAD' },
  },
  malformed('a zero byte', '/%00'),
  malformed('a zero byte in a file', '/sites/lap.app/%00'),
  malformed('two hosts', '/', ['lap.app', 'admin.example']),
  malformed('a host with a blank', '/', 'lap.app admin.example'),
  malformed('a host with a path', '/', 'lap.app/de'),
  malformed('traversal', '/../../policies.json'),
  malformed('escaped traversal', '/..%2f..%2fpolicies.json'),
  malformed('traversal to a page', '/share/../sites/lap.app/'),
  malformed('two slashes', '//sites/lap.app/'),
];
