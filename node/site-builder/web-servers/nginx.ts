/** Writes nginx's configuration for serving a build's files: maps for the `http` block, locations for a `server` block. */
import { join } from 'node:path';
import { CONTENT_TYPES, OTHER_CONTENT_TYPE, SECURITY_HEADERS } from '../../../src/serving/headers.ts';
import { HIDDEN_FILE, NODE_FOLDERS, NODE_PATHS } from './plain-requests.ts';
import { HEADERS, hstsByHost, lines, numberedPolicies, type ServedBuild } from './served-build.ts';

/** Longest key and number of keys that nginx's defaults certainly take. */
const DEFAULT_KEY_LENGTH = 40;
const DEFAULT_KEYS = 1_000;

const POLICY = '$storefront_policy';

/** What a line in a `map` block may begin with besides a value. All are valid hosts. */
const MAP_KEYWORDS: ReadonlySet<string> = new Set(['default', 'hostnames', 'include', 'volatile']);

/** Also within each location whose `^~` keeps nginx from looking at expressions outside. */
const HIDDEN_FILES = `location ~ ${HIDDEN_FILE}$ { error_page 418 = @storefront; return 418; }`;

/** @returns the part for nginx's `http` block */
export function nginxMaps(build: ServedBuild): string {
  const hsts = hstsByHost(build);
  const { texts, files } = numberedPolicies(build);
  const [everywhere = '', ...others] = texts;
  const keys = [...files, ...hsts.hosts].map(([key]) => key);
  return `# Made by the build: what nginx needs to serve its files. Include it in the http block.
${hashSizes(keys)}
# nginx knows no other way to write a dollar sign.
geo $storefront_dollar {
  default "$";
}
# Hosts and methods that are the Node server's. nginx has made the host lower case, without port and trailing dot.
map $host $storefront_odd_host {
  default "";
  "~[^a-z0-9._-]|^\\.|\\.localhost$" 1;
}
map $request_method $storefront_odd_method {
  default 1;
  GET "";
  HEAD "";
}
map $host $storefront_bare_host {
  default $host;
  "~^www\\.(?<storefront_without_www>.+)$" $storefront_without_www;
}
map $uri $storefront_not_found {
  default /404.html;
${lines(build.prefixes, (prefix) => `  ${quoted(`~^${prefix}(?:/|$)`)} ${prefix}/404/index.html;`)}
}
map $host $storefront_hsts {
  default ${quoted(hsts.others)};
${lines(hsts.hosts, ([host, value]) => `  ${keyOf(host)} ${quoted(value)};`)}
}
# Content security policies: that of nearly all pages, and the others by number.
${lines(others, (text, index) => `map "" ${POLICY}_${index + 1} {\n  default ${literal(text)};\n}`)}
map $uri ${POLICY} {
  default ${literal(everywhere)};
${lines(files, ([file, number]) => `  ${file} ${number === 0 ? literal(everywhere) : `${POLICY}_${number}`};`)}
}
map $uri $storefront_html_policy {
  default "";
  "~\\.html$" $storefront_policy;
}
`;
}

/**
 * @param unavailable JSON for a request that the Node server cannot be reached for
 * @returns the part for a `server` block; the `http` block needs an `upstream storefront`
 */
export function nginxLocations(build: ServedBuild, unavailable: string): string {
  const others = HEADERS['/'];
  const homes = ['', ...build.prefixes].flatMap((prefix) => {
    const files = ['$host', '$storefront_bare_host'].map((name) => `${prefix}/sites/${name}/index.html`);
    const paths = prefix === '' ? ['/'] : [prefix, `${prefix}/`];
    return paths.map((path) =>
      fileLocation(`= ${path}`, `${files.join(' ')} ${prefix}/index.html =404`, others, POLICY),
    );
  });
  // By far the most visited paths after `/`: no expression is tried on them.
  const sites = ['', ...build.prefixes].map((prefix) =>
    fileLocation(`^~ ${prefix}/sites/`, `\${uri}index.html $uri/index.html =404`, others, POLICY),
  );
  return `# Made by the build: the locations of its files, and the way to the Node server. Include it in a server block.
root ${literal(join(build.folder, 'client'))};
recursive_error_pages on;
gzip_static on;
gzip_http_version 1.0;
gzip_proxied any;
# As the Node server: whole files, compared by their ETags alone.
max_ranges 0;
if_modified_since off;
types {
${lines(Object.entries(CONTENT_TYPES), ([ending, type]) => `  ${quoted(type)} ${ending.slice(1)};`)}
}
default_type ${OTHER_CONTENT_TYPE};

${[...homes, ...sites].join('\n')}
${fileLocation('~ /$', `\${uri}index.html =404`, others, POLICY)}
${HIDDEN_FILES}
${fileLocation('^~ /_astro/', '$uri @storefront', HEADERS['/_astro/'], undefined, HIDDEN_FILES)}
${fileLocation('^~ /share/', '$uri =404', HEADERS['/share/'], undefined, HIDDEN_FILES)}
${fileLocation('/', '$uri $uri/index.html =404', others, '$storefront_html_policy')}
location @storefront_not_found {
  try_files $storefront_not_found =404;
${added(others, POLICY)}
}
${lines([...NODE_FOLDERS.flatMap((path) => [`= ${path}`, `^~ ${path}/`]), ...NODE_PATHS.map((path) => `= ${path}`)], toNode)}
location @storefront {
  proxy_pass http://storefront;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  error_page 502 504 = @storefront_unavailable;
}
location @storefront_unavailable {
  default_type "${CONTENT_TYPES['.json']}";
${added({ ...SECURITY_HEADERS, 'cache-control': 'no-store', 'retry-after': '5' })}
  return 503 ${quoted(unavailable)};
}
`;
}

/**
 * A location of files. The Node server responds where the path is not plainly written, and to other methods.
 * @param policy variable with the policy of the page
 */
function fileLocation(
  location: string,
  tried: string,
  headers: Readonly<Record<string, string>>,
  policy?: string,
  within = '',
): string {
  return `location ${location} {
  if ($storefront_odd_host) { return 418; }
  if ($storefront_odd_method) { return 418; }
  if ($request_uri != $uri$is_args$args) { return 418; }
  error_page 418 = @storefront;
  error_page 404 @storefront_not_found;
  try_files ${tried};
${added(headers, policy)}${within && `\n  ${within}`}
}`;
}

/** nginx sends no header without a value, such as Last-Modified, which Node does not send either. */
function added(headers: Readonly<Record<string, string>>, policy?: string): string {
  const all = {
    ...headers,
    ...(policy && { 'content-security-policy': policy }),
    'strict-transport-security': '$storefront_hsts',
    'last-modified': '',
  };
  return lines(Object.entries(all), ([name, value]) => `  add_header ${name} ${quoted(value)} always;`);
}

function toNode(location: string): string {
  return `location ${location} { error_page 418 = @storefront; return 418; }`;
}

/** A host as the key of a map: a keyword of the map needs a backslash, and no quotes. */
function keyOf(host: string): string {
  return MAP_KEYWORDS.has(host) ? `\\${host}` : host;
}

/** Sizes for nginx's tables of map keys, where the defaults are too small. They stand once in a configuration. */
function hashSizes(keys: readonly string[]): string {
  const longest = Math.max(0, ...keys.map(({ length }) => length));
  if (longest <= DEFAULT_KEY_LENGTH && keys.length <= DEFAULT_KEYS) return '';
  return `map_hash_bucket_size 512;\nmap_hash_max_size ${2 ** Math.ceil(Math.log2(Math.max(keys.length * 4, 2_048)))};`;
}

/** A text in quotes without variables. */
function literal(text: string): string {
  return quoted(text.replaceAll('\\', '\\\\').replaceAll('$', () => `\${storefront_dollar}`));
}

/** A text in quotes, in which variables count. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
