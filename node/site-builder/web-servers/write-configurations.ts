/** Writes the configurations of web servers into a build: `deploy/` in its folder, beside the files that are served. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REJECTIONS } from '#contract/rejections.ts';
import { prefixOf } from '../../../src/i18n/locale-prefix.ts';
import type { Policies } from '../../../src/serving/policies.ts';
import { isAdminPath } from '../../../src/serving/server-paths.ts';
import { readPolicies } from '../../manifest/policies.ts';
import { readSiteFacts } from '../../manifest/site-facts.ts';
import { caddySite } from './caddy.ts';
import { nginxLocations, nginxMaps } from './nginx.ts';
import type { ServedBuild } from './served-build.ts';

/**
 * @param next the complete build
 * @param folder where it will be served from
 */
export function writeConfigurations(next: string, folder: string, adminHost: string | undefined): void {
  const { hosts, languages } = readSiteFacts(next);
  const prefixes = languages
    .map((language) => prefixOf(language, languages))
    .filter((prefix) => prefix !== '' && existsSync(join(next, 'client', prefix, '404/index.html')));
  const policies = readPolicies(next);
  const exceptions = exceptionsOf(policies, (file) => existsSync(join(next, 'client', file)));
  const build: ServedBuild = { folder, policies, exceptions, hosts, adminHost, prefixes };
  const error = REJECTIONS.unavailable[1];
  const files = {
    'nginx-http.conf': nginxMaps(build),
    'nginx-server.conf': nginxLocations(
      build,
      JSON.stringify({ error, message: error, code: 'unavailable' }),
    ),
    'caddy-site.conf': caddySite(build),
  };
  mkdirSync(join(next, 'deploy'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(next, 'deploy', name), text);
}

/** A page's path in the policies has lost its ending. The administrator's pages are sent by the Node server. */
function exceptionsOf({ pages }: Policies, isFile: (file: string) => boolean): ServedBuild['exceptions'] {
  return Object.entries(pages)
    .filter(([page]) => !isAdminPath(page))
    .map(([page, policy]) => {
      const folder = page.endsWith('/') ? page : `${page}/`;
      return [isFile(`${folder}index.html`) ? `${folder}index.html` : `${page}.html`, policy] as const;
    });
}
