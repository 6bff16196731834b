import type { APIRoute } from 'astro';
import { securityTxtOf } from '../../seo/security-txt.ts';
import { noSuchFile, textResponse } from '../../seo/text-response.ts';
import { requestedSite } from '../../site-data/requested-site.ts';

export const prerender = false;

/** On the site's own hosts, where the catalogue names a contact. */
export const GET: APIRoute = async (context) => {
  const { host, site } = await requestedSite(context);
  const text = securityTxtOf(host, site, new Date());
  return text === undefined ? noSuchFile() : await textResponse(context.request, 'text/plain', text);
};
