import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOfHost } from '../../src/serving/page-of-host.ts';
import { fileOfPage } from '../manifest/page-paths.ts';
import { liveBuild } from '../site-builder/live-build.ts';
import type { ExpectedPages } from './check-page.ts';
import type { Target } from './targets.ts';

/** Reads the page that a host has in the build that is served at this moment. */
export function readServedPage(
  { host, path }: Pick<Target, 'host' | 'path'>,
  build = liveBuild(),
): ExpectedPages {
  const root = join(build, 'client');
  const isPage = (page: string) => existsSync(fileOfPage(root, page));
  const page = pageOfHost(host, path, isPage) ?? (path.endsWith('/') ? path : `${path}/`);
  const read = (one: string) => (isPage(one) ? readFileSync(fileOfPage(root, one)) : undefined);
  return { page: read(page), root: read('/') };
}
