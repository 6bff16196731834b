import type { APIContext } from 'astro';
import { forSale, localizedSite } from '../../../site-data/for-sale.ts';
import { parameterOf, textFor } from '../../../site-data/localized-sites.ts';
import { namesHash } from '../../../site-data/names-hash.ts';

/**
 * The hash of the names (pages/domains/[list].json.ts), then all descriptions in their order, for the results of a large
 * catalogue's search. A description in another language than the page's is an object: `{"en":"…"}`.
 * Read by `src/api/domain-names.ts`.
 */
export async function getStaticPaths() {
  const { sites, related } = await forSale();
  return related.partial ? sites.map((site) => ({ params: { language: parameterOf(site) } })) : [];
}

export async function GET({ params }: APIContext): Promise<Response> {
  const site = await localizedSite(params.language);
  const { domains } = await forSale();
  const descriptions = domains.map(({ description }) => {
    const { text, lang } = textFor(site, description);
    return lang ? { [lang]: text } : text;
  });
  return Response.json([namesHash(domains), ...descriptions]);
}
