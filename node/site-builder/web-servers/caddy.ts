/** Writes Caddy's configuration for serving a build's files, to be imported in a site block. */
import { join } from 'node:path';
import { CONTENT_TYPES, OTHER_CONTENT_TYPE } from '../../../src/serving/headers.ts';
import {
  HIDDEN_FILE,
  LOCAL_HOST,
  NODE_FOLDERS,
  NODE_PATHS,
  PLAIN_HOST,
  PLAIN_TARGET,
} from './plain-requests.ts';
import { HEADERS, hstsByHost, lines, numberedPolicies, type ServedBuild } from './served-build.ts';

/** The Node server, from the environment variable STOREFRONT. Its own connections end after 15 s without a request. */
const TO_NODE = `reverse_proxy {$STOREFRONT:127.0.0.1:4321} {
		transport http {
			keepalive 10s
		}
	}`;

/** Headers that the Node server does not know either: it sends files whole, compared by their ETags alone. */
const IGNORED_CONDITIONS = ['range', 'if-range', 'if-match', 'if-modified-since', 'if-unmodified-since'];

export function caddySite(build: ServedBuild): string {
  const hsts = hstsByHost(build);
  const { texts, files } = numberedPolicies(build);
  const nodePaths = [...NODE_FOLDERS.flatMap((path) => [path, `${path}/*`]), ...NODE_PATHS];
  const types = Object.entries(CONTENT_TYPES);
  return `# Made by the build: serves its files, and leaves all else to the Node server. Import it in a site block.
root * "${literal(join(build.folder, 'client'))}"
map {host} {storefront_bare_host} {
	~^www\\.(.+)$ "\${1}"
	default {host}
}
map {host} {storefront_hsts} {
${lines(hsts.hosts, ([host, value]) => `	${keyOf(host)} "${value}"`)}
	default "${hsts.others}"
}
map {path} {storefront_type} {
${lines(types, ([ending, type]) => `	~\\${ending}$ "${type}"`)}
	default ${OTHER_CONTENT_TYPE}
}
# Content security policies by number.
map {path} {storefront_policy_number} {
${lines(files, ([file, number]) => `	${file} ${number}`)}
	default 0
}
map {storefront_policy_number} {storefront_policy} {
${lines(texts, (text, number) => `	${number} "${literal(text)}"`)}
	default ""
}
@storefront_html path *.html
@storefront_files {
	method GET HEAD
	header_regexp Host \`^${PLAIN_HOST}$\`
	vars_regexp {uri} \`^${PLAIN_TARGET}$\`
	path_regexp ^/
	not header_regexp Host \`${LOCAL_HOST}$\`
	not vars_regexp {uri} \`^[^?]*${HIDDEN_FILE}(?:\\?|$)\`
	not path ${nodePaths.join(' ')}
}
handle @storefront_files {
	route {
${lines(IGNORED_CONDITIONS, ignored)}
${['', ...build.prefixes].map(homeRewrite).join('\n')}
		@storefront_folder {
			path */
			file {
				try_files {path}index.html
			}
		}
		rewrite @storefront_folder {file_match.relative}
		@storefront_page file {path}/index.html
		rewrite @storefront_page {file_match.relative}
		@storefront_found {
			not path */
			file {path}
		}
		handle @storefront_found {
${lines(Object.entries(HEADERS), fileHandle)}
		}
		handle /_astro/* {
	${TO_NODE}
		}
		handle {
${lines(['', ...build.prefixes].reverse(), notFoundHandle)}
		}
	}
}
handle {
	${TO_NODE}
}
`;
}

/** The first page of a language: the host's own, otherwise the site's. Caddy's `path` would take capitals for it too. */
function homeRewrite(prefix: string, index: number): string {
  const files = ['{host}', '{storefront_bare_host}'].map((name) => `${prefix}/sites/${name}/index.html`);
  return `		@storefront_home_${index} {
			${prefix === '' ? 'path /' : `path_regexp ^${prefix}/?$`}
			file {
				try_files ${files.join(' ')} ${prefix}/index.html
			}
		}
		rewrite @storefront_home_${index} {file_match.relative}`;
}

function ignored(header: string): string {
  return `		request_header -${header}`;
}

/**
 * The 404 page of a language. Its headers are set after the path is its file's. It is always sent, because Caddy would
 * replace the status 304 by 404 and send no body.
 */
function notFoundHandle(prefix: string): string {
  const matcher = `@storefront_not_found_in${prefix.replace('/', '_')}`;
  const file = prefix === '' ? '/404.html' : `${prefix}/404/index.html`;
  return `${prefix === '' ? '' : `			${matcher} path_regexp ^${prefix}(?:/|$)\n`}			handle ${prefix === '' ? '' : `${matcher} `}{
				route {
				rewrite * ${file}
			${ignored('if-none-match')}
${sendFile(HEADERS['/'], 'status 404')}
				}
			}`;
}

function fileHandle([folder, headers]: [string, Readonly<Record<string, string>>]): string {
  return `			handle ${folder === '/' ? '' : `${folder}* `}{
${sendFile(headers)}
			}`;
}

/** Headers replace Caddy's own. Node sends no Last-Modified. */
function sendFile(headers: Readonly<Record<string, string>>, more = ''): string {
  const all = {
    ...headers,
    'strict-transport-security': '{storefront_hsts}',
    'content-type': '{storefront_type}',
  };
  return `				header {
					defer
${lines(Object.entries(all), ([name, value]) => `					${name} "${value}"`)}
					-last-modified
				}
				header @storefront_html content-security-policy {storefront_policy}
				file_server {
					precompressed br gzip
					disable_canonical_uris
${more === '' ? '' : `					${more}\n`}				}`;
}

/** A host as the input of a map, in which `default` is a keyword. */
function keyOf(host: string): string {
  return host === 'default' ? '~^default$' : host;
}

/** A text in quotes without placeholders. */
function literal(text: string): string {
  return text.replaceAll(/["{}]/g, '\\$&');
}
