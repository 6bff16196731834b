/** The texts that each host has of its own: `HOST_TEXT_PATHS` (server-paths.ts). */
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

/** Headers of a text at a path, besides those that follow from its bytes. */
function hostTextHeaders(path: string): Record<string, string> {
  const type = path.endsWith('.xml') ? 'application/xml' : 'text/plain';
  return {
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-type': `${type}; charset=utf-8`,
  };
}

/** Undefined for a host that has no such text. */
function findHostText(path: string, { host, site }: RequestedSite): string | undefined {
  return TEXTS[path]?.(host, site);
}

/** 404 for a host that has no such text. */
export async function hostText(request: Request, path: string, requested: RequestedSite): Promise<Response> {
  const text = findHostText(path, requested);
  if (text === undefined) return sentence(404, 'There is nothing at this path.');
  return await textResponse(request, hostTextHeaders(path), text);
}
