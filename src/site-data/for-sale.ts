/** The catalogue as the pages use it: read from the content layer once for a whole build. */

import { getCollection, getEntry } from 'astro:content';
import { hasOwnImages } from '../catalogue/own-images.ts';
import { type RelatedDomains, relatedDomains } from '../catalogue/related-domains.ts';
import { shownName } from '../catalogue/shown-name.ts';
import { type Price, priceOf } from '../seo/price-of.ts';
import { type LocalizedSite, localizedSites, parameterOf } from './localized-sites.ts';

/** What a page may show of a domain: never its price. */
export interface Domain {
  name: string;
  /** How a person reads the name, where that is another text: an `xn--` name in its own letters. */
  shown?: string;
  description: string;
  hasBroker: boolean;
}

export interface ForSale {
  /** In the owner's order. */
  domains: Domain[];
  related: RelatedDomains<Domain>;
  brokerUrl: string;
  /** The site in each of its languages; the first one stands at the root. */
  sites: LocalizedSite[];
  /** Other hosts of the site; the first is where search engines know the pages that are no domain's. */
  hosts: string[];
  /** The owner's longer texts by domain, in Markdown. */
  abouts: ReadonlyMap<string, string>;
  /** Whether each domain has a picture of its own; otherwise all share one. */
  ownImages: boolean;
  /** Where visitors may write to, if anywhere. */
  contact: string | undefined;
  /** By domain, as far as they are published at all and can be read. */
  prices: ReadonlyMap<string, Price>;
}

/** Thousands of pages ask; sorting the whole catalogue for each of them would take longer than rendering it. */
export function forSale(): Promise<ForSale> {
  if (import.meta.env.DEV) return read();
  known ??= read();
  return known;
}
let known: Promise<ForSale> | undefined;

/** The site at the root, or the one that the pages' parameter `language` names. */
export async function localizedSite(parameter?: string): Promise<LocalizedSite> {
  const { sites } = await forSale();
  const site = sites.find((one) => parameterOf(one) === parameter);
  if (!site) throw new Error(`The site is not built in the language ${parameter}.`);
  return site;
}

async function read(): Promise<ForSale> {
  const settings = await getEntry('settings', 'site');
  if (!settings) throw new Error('The catalogue was not loaded: see src/content.config.ts.');
  const { brokerUrl, contact, hosts, languages, showPrice } = settings.data;
  // Price and longer text stay here: whatever is passed to an island is sent with every page that shows it.
  const entries = (await getCollection('domains'))
    .map(({ data }) => data)
    .toSorted((a, b) => a.position - b.position);
  const domains = entries.map(({ name, description, hasBroker }) => {
    const shown = shownName(name);
    return { name, ...(shown !== name && { shown }), description, hasBroker };
  });
  const prices = entries.flatMap(({ name, price }) => {
    const readable = showPrice ? priceOf(price) : undefined;
    return readable ? [[name, readable] as const] : [];
  });
  return {
    domains,
    related: relatedDomains(domains),
    brokerUrl,
    sites: localizedSites(languages),
    hosts,
    abouts: new Map(entries.flatMap(({ name, about }) => (about ? [[name, about] as const] : []))),
    contact,
    ownImages: hasOwnImages(settings.data, domains.length),
    prices: new Map(prices),
  };
}
