import type { APIContext } from 'astro';
import { cardPrice } from '../../../catalogue/shown-price.ts';
import { forSale, localizedSite } from '../../../site-data/for-sale.ts';
import { parameterOf, textFor } from '../../../site-data/localized-sites.ts';
import { namesHash } from '../../../site-data/names-hash.ts';

/**
 * The hash of the names (pages/domains/[list].json.ts), then all descriptions in their order, for the results of a large
 * catalogue's search. A description in another language than the page's is an object: `{"en":"…"}`. Where
 * a price is shown, the entry is a list of price and description.
 * Read by `src/api/domain-names.ts`.
 */
export async function getStaticPaths() {
  const { sites, related } = await forSale();
  return related.partial ? sites.map((site) => ({ params: { language: parameterOf(site) } })) : [];
}

export async function GET({ params }: APIContext): Promise<Response> {
  const site = await localizedSite(params.language);
  const { domains, settings } = await forSale();
  const descriptions = domains.map(({ description, hasDefaultDescription, price }) => {
    const { text, lang } = textFor(site, hasDefaultDescription ? '' : description);
    const described = lang && text ? { [lang]: text } : text;
    const shownPrice = cardPrice(settings, price);
    return shownPrice ? [shownPrice, described] : described;
  });
  return Response.json([namesHash(domains), ...descriptions]);
}
