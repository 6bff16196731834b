/** The files that each host has of its own: `ON_DEMAND_PATHS` (server-paths.ts). */
import { robotsOf, sitemapOf } from './robots-and-sitemap.ts';
import { securityTxtOf } from './security-txt.ts';
import type { SiteFacts } from './site-facts.ts';
import { noSuchFile, textResponse } from './text-response.ts';

export interface RequestedSite {
  /** Host name of the request. */
  readonly host: string;
  readonly site: SiteFacts;
}

/** 404 for a host that has no such file. */
export async function hostText(
  request: Request,
  path: string,
  { host, site }: RequestedSite,
): Promise<Response> {
  const text = textOf(path, host, site);
  if (text === undefined) return noSuchFile();
  return await textResponse(request, path.endsWith('.xml') ? 'application/xml' : 'text/plain', text);
}

function textOf(path: string, host: string, site: SiteFacts): string | undefined {
  if (path === '/robots.txt') return robotsOf(host, site);
  if (path === '/sitemap.xml') return sitemapOf(host, site);
  if (path === '/.well-known/security.txt') return securityTxtOf(host, site, new Date());
  return undefined;
}
