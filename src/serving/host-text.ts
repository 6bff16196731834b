/** The files that each host has of its own: `ON_DEMAND_PATHS` (server-paths.ts). */
import { robotsOf, sitemapOf } from './robots-and-sitemap.ts';
import { securityTxtOf } from './security-txt.ts';
import type { SiteFacts } from './site-facts.ts';
import { sentence, textResponse } from './text-response.ts';

export interface RequestedSite {
  /** Host name of the request. */
  readonly host: string;
  readonly site: SiteFacts;
}

const TEXTS: Record<string, (host: string, site: SiteFacts) => string | undefined> = {
  '/robots.txt': robotsOf,
  '/sitemap.xml': sitemapOf,
  '/.well-known/security.txt': securityTxtOf,
};

/** 404 for a host that has no such file. */
export async function hostText(
  request: Request,
  path: string,
  { host, site }: RequestedSite,
): Promise<Response> {
  const text = TEXTS[path]?.(host, site);
  if (text === undefined) return sentence(404, 'There is nothing at this path.');
  return await textResponse(request, path.endsWith('.xml') ? 'application/xml' : 'text/plain', text);
}
