import { forSale } from '../../site-data/for-sale.ts';

/**
 * All names, for the search of a large catalogue, which fetches them on its first use.
 * Read by `src/api/domain-names.ts`.
 */
export async function getStaticPaths() {
  return (await forSale()).related.partial ? [{ params: { names: 'names' } }] : [];
}

export async function GET(): Promise<Response> {
  return Response.json(
    (await forSale()).domains.map(({ name, shown }) => (shown ? `${name} ${shown}` : name)),
  );
}
