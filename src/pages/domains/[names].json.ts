import { forSale } from '../../site-data/for-sale.ts';
import { namesHash } from '../../site-data/names-hash.ts';

/**
 * The hash of all names, then the names, for the search of a large catalogue, which fetches them on its first use.
 * Read by `src/api/domain-names.ts`.
 */
export async function getStaticPaths() {
  return (await forSale()).related.partial ? [{ params: { names: 'names' } }] : [];
}

export async function GET(): Promise<Response> {
  const { domains } = await forSale();
  return Response.json([
    namesHash(domains),
    ...domains.map(({ name, shown }) => (shown ? `${name} ${shown}` : name)),
  ]);
}
