import { hash } from 'node:crypto';
import { waysToBuy } from '../catalogue/shown-price.ts';
import type { Domain, ForSale } from './for-sale.ts';

/** Identifies what a domain's page shows of the catalogue: Astro reuses the last build's page while it is the same. */
export function pageKeyOf(site: ForSale, domain: Domain): string {
  const { settings, related, alike, ownImages, hasMinimum } = site;
  const shown = (domain.state ? alike(domain) : related.shownOn(domain.name)).map((one) => {
    const { name, description, hasDefaultDescription, hasBroker, minimum } = one;
    const hasOwnMinimum = minimum !== undefined;
    return [name, description, hasDefaultDescription, hasBroker, hasOwnMinimum, waysToBuy(settings, one)];
  });
  // Not the position: an entry moves when another one is added. Of the minimum pages have whether there is one, of `checkout` nothing.
  const own = { ...domain, position: undefined, checkout: undefined, minimum: domain.minimum !== undefined };
  return hash(
    'sha256',
    JSON.stringify([settings, shown, own, ownImages.has(domain.name), hasMinimum]),
    'base64url',
  );
}
