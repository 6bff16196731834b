import type { APIContext } from 'astro';

/** The host and the site of a request that is rendered on demand. */
export async function requestedSite({ locals, request }: APIContext): Promise<App.Locals> {
  if (locals.site !== undefined) return locals;
  // `astro dev` has no server that sets them. A build leaves out what follows, and the catalogue with it.
  if (!import.meta.env.DEV) throw new Error('The server must set locals.host and locals.site.');
  const { loadCatalogue } = await import('../catalogue/load.ts');
  const { siteFactsOf } = await import('../seo/site-facts-of.ts');
  return {
    host: request.headers.get('x-development-host') ?? 'localhost',
    site: siteFactsOf(loadCatalogue()),
  };
}
