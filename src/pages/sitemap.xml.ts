import type { APIRoute } from 'astro';
import { sitemapOf } from '../seo/robots-and-sitemap.ts';
import { noSuchFile, textResponse } from '../seo/text-response.ts';
import { requestedSite } from '../site-data/requested-site.ts';

export const prerender = false;

/** Domains for sale and the first of the site's hosts have one. */
export const GET: APIRoute = async (context) => {
  const { host, site } = await requestedSite(context);
  const sitemap = sitemapOf(host, site);
  return sitemap === undefined
    ? noSuchFile()
    : await textResponse(context.request, 'application/xml', sitemap);
};
