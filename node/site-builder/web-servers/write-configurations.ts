/**
 * The configurations of web servers that read a build's files. The build writes only what it is about, because who can write
 * a configuration of nginx is root: `docs/deploy/reload-web-server.sh` makes the configuration from that.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REJECTIONS } from '#contract/rejections.ts';
import { prefixOf } from '../../../src/i18n/locale-prefix.ts';
import { isAdminPath } from '../../../src/serving/server-paths.ts';
import { writeDurably } from '../../config/write-file-atomic.ts';
import { readPolicies } from '../../manifest/policies.ts';
import { readSiteFacts } from '../../manifest/site-facts.ts';
import { caddySite } from './caddy.ts';
import { nginxLocations, nginxMaps } from './nginx.ts';
import type { Description, ServedBuild } from './served-build.ts';

/** In the build's folder, beside the files that are served. */
export const DESCRIPTION_FILE = 'deploy/build.json';

/** @param next the complete build */
export function writeDescription(next: string, adminHost: string | undefined): void {
  const { hosts, languages } = readSiteFacts(next);
  const prefixes = languages
    .map((language) => prefixOf(language, languages))
    .filter((prefix) => prefix !== '' && existsSync(join(next, 'client', prefix, '404/index.html')));
  const { everywhere, pages } = readPolicies(next);
  // A page's path in the policies has lost its ending. The administrator's pages are sent by the Node server.
  const exceptions = Object.entries(pages)
    .filter(([page]) => !isAdminPath(page))
    .map(([page, policy]): [string, string] => {
      const file = `${page.replace(/\/$/, '')}/index.html`;
      return [existsSync(join(next, 'client', file)) ? file : `${page}.html`, policy];
    });
  const description: Description = { everywhere, exceptions, hosts: [...hosts], adminHost, prefixes };
  mkdirSync(join(next, 'deploy'), { recursive: true });
  writeFileSync(join(next, DESCRIPTION_FILE), JSON.stringify(description));
}

/** Writes nginx-http.conf, nginx-server.conf and caddy-site.conf. @param folder is made if it is missing */
export function writeConfigurations(build: ServedBuild, folder: string): void {
  const error = REJECTIONS.unavailable[1];
  const unavailable = JSON.stringify({ error, message: error, code: 'unavailable' });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const write = (name: string, text: string) => writeDurably(join(folder, name), text, 0o644);
  write('nginx-http.conf', nginxMaps(build));
  write('nginx-server.conf', nginxLocations(build, unavailable));
  write('caddy-site.conf', caddySite(build));
}
