import type { APIContext } from 'astro';
import { waysToBuy } from '../../../catalogue/shown-price.ts';
import { forSale, localizedSite } from '../../../site-data/for-sale.ts';
import { parameterOf, priceFor, textFor } from '../../../site-data/localized-sites.ts';
import { namesHash } from '../../../site-data/names-hash.ts';

/**
 * The hash of the names (pages/domains/[list].json.ts), then what the results of a large catalogue's search show of each, in
 * their order: the description alone, or an object `DomainDescription`, which `src/api/domain-names.ts` reads.
 */
export async function getStaticPaths() {
  const { sites, related } = await forSale();
  return related.partial ? sites.map((site) => ({ params: { language: parameterOf(site) } })) : [];
}

export async function GET({ params }: APIContext): Promise<Response> {
  const site = await localizedSite(params.language);
  const { domains, ranks, settings } = await forSale();
  const descriptions = domains.map((domain) => {
    const { name, description, hasDefaultDescription, hasBroker, minimum } = domain;
    const { text, lang } = textFor(site, hasDefaultDescription ? undefined : description);
    const { price: typed, buyNow, instalments } = waysToBuy(settings, domain);
    const price = priceFor(site, typed);
    const more = {
      lang: text ? lang : undefined,
      price: price?.text,
      priceLang: price?.lang,
      rank: ranks.get(name),
      buyNow,
      instalments,
      hasBroker,
      hasMinimum: minimum === undefined ? undefined : true,
    };
    return Object.values(more).some((value) => value !== undefined) ? { text, ...more } : text;
  });
  return Response.json([namesHash(domains), ...descriptions]);
}
