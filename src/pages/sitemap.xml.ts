import type { APIRoute } from 'astro';
import { hostText } from '../serving/host-text.ts';
import { requestedSite } from '../site-data/requested-site.ts';

export const prerender = false;

/** Domains for sale and the first of the site's hosts have one. */
export const GET: APIRoute = async (context) =>
  await hostText(context.request, '/sitemap.xml', await requestedSite(context));
