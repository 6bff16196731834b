import { SUPABASE_URL } from 'astro:env/client';
import type { APIContext } from 'astro';
import { forSale } from '../../site-data/for-sale.ts';
import { namesHash } from '../../site-data/names-hash.ts';

/**
 * `names.json`: the hash of all names, then the names, for the search of a large catalogue, which fetches them on its first
 * use. Read by `src/api/domain-names.ts`.
 *
 * `hosts.json`, with a hosted project: the hosts whose pages its functions take offers from, but ADMIN_HOST, which no page
 * names. Read by `src/page-scripts/other-host.ts`.
 */
export async function getStaticPaths() {
  const lists = [...((await forSale()).related.partial ? ['names'] : []), ...(SUPABASE_URL ? ['hosts'] : [])];
  return lists.map((list) => ({ params: { list } }));
}

export async function GET({ params }: APIContext): Promise<Response> {
  const { all, domains, settings } = await forSale();
  if (params.list === 'hosts') return Response.json([...settings.hosts, ...all.keys()]);
  return Response.json([
    namesHash(domains),
    ...domains.map(({ name, shown }) => (shown ? `${name} ${shown}` : name)),
  ]);
}
