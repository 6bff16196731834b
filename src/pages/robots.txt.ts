import type { APIRoute } from 'astro';
import { hostText } from '../serving/host-text.ts';
import { requestedSite } from '../site-data/requested-site.ts';

export const prerender = false;

/** Each host has its own. */
export const GET: APIRoute = async (context) =>
  await hostText(context.request, '/robots.txt', await requestedSite(context));
