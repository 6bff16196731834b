import type { APIRoute } from 'astro';
import { hostText } from '../../serving/host-text.ts';
import { requestedSite } from '../../site-data/requested-site.ts';

export const prerender = false;

/** On the site's own hosts, where the catalogue names a contact. */
export const GET: APIRoute = async (context) =>
  await hostText(context.request, '/.well-known/security.txt', await requestedSite(context));
