/** Selects the domains that a page shows, so that its size does not grow with the catalogue. */
import type { DomainEntry } from './schema.ts';

/** Up to this number every page shows all domains; above it, there are pages of domains. */
export const MAX_DOMAINS_ON_EVERY_PAGE = 24;
/** Domains on one page of domains, which is then as small as a domain's own page. */
export const DOMAINS_PER_PAGE = 48;
/** Above that number: cards on a domain's page, its own included, and on the page with nothing selected. */
const ON_DOMAIN_PAGE = 6;
const ON_FIRST_PAGE = 12;

/** Number of pages of domains; 0 where every page shows all domains. */
export function domainPageCount(domains: number): number {
  return domains > MAX_DOMAINS_ON_EVERY_PAGE ? Math.ceil(domains / DOMAINS_PER_PAGE) : 0;
}

export interface RelatedDomains<Domain> {
  /** Whether pages show only a part of the catalogue. */
  readonly partial: boolean;
  /**
   * The domains that a page shows, in the owner's order where it shows them all.
   * @param selected the page's own domain, which then comes first if it is for sale
   */
  shownOn(selected?: string): Domain[];
}

/**
 * Related domains are the next ones with the same ending, then the next ones in the owner's order.
 * @param domains those for sale
 */
export function relatedDomains<Domain extends { name: string }>(domains: Domain[]): RelatedDomains<Domain> {
  const partial = domains.length > MAX_DOMAINS_ON_EVERY_PAGE;
  const indexes = new Map(domains.map(({ name }, index) => [name, index]));
  const byEnding = Map.groupBy(domains, ({ name }) => endingOf(name));
  const indexInEnding = new Map(
    [...byEnding.values()].flatMap((group) => group.map(({ name }, index) => [name, index])),
  );

  return {
    partial,
    shownOn: (selected) => {
      if (!partial) return domains;
      if (selected === undefined) return domains.slice(0, ON_FIRST_PAGE);
      const sameEnding = byEnding.get(endingOf(selected)) ?? [];
      const candidates = [
        ...following(sameEnding, indexInEnding.get(selected) ?? 0, ON_DOMAIN_PAGE),
        ...following(domains, indexes.get(selected) ?? 0, ON_DOMAIN_PAGE),
      ];
      return [...new Set(candidates)].slice(0, ON_DOMAIN_PAGE);
    },
  };
}

/** `count` domains from `index` on, continuing at the beginning after the last. */
function following<Domain>(domains: Domain[], index: number, count: number): Domain[] {
  const after = domains.slice(index, index + count);
  return after.concat(domains.slice(0, Math.min(count - after.length, index)));
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** Whether a domain takes offers: it is neither sold nor reserved. */
export function isForSale({ state }: Pick<DomainEntry, 'state'>): boolean {
  return state === undefined;
}
