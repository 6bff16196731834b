import { forSale } from '../../site-data/for-sale.ts';

/**
 * Every name, for the search of a large catalogue: fetched on its first use, and by nobody else.
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
