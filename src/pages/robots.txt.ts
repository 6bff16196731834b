import type { APIRoute } from 'astro';
import { robotsOf } from '../seo/robots-and-sitemap.ts';
import { textResponse } from '../seo/text-response.ts';
import { requestedSite } from '../site-data/requested-site.ts';

export const prerender = false;

/** Each host has its own. */
export const GET: APIRoute = async (context) => {
  const { host, site } = await requestedSite(context);
  return await textResponse(context.request, 'text/plain', robotsOf(host, site));
};
