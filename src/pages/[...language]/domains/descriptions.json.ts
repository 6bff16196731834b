import { forSale } from '../../../site-data/for-sale.ts';
import { parameterOf } from '../../../site-data/localized-sites.ts';

/**
 * All descriptions, in the order of the names (pages/domains/[names].json.ts), for the results of a large catalogue's
 * search. Read by `src/api/domain-names.ts`.
 */
export async function getStaticPaths() {
  const { sites, related } = await forSale();
  return related.partial ? sites.map((site) => ({ params: { language: parameterOf(site) } })) : [];
}

export async function GET(): Promise<Response> {
  return Response.json((await forSale()).domains.map(({ description }) => description));
}
