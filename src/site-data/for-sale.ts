/** The catalogue for the pages, read from the content layer once per build. */

import { getCollection, getEntry } from 'astro:content';
import type { ShownBranding } from '../branding/shown-branding.ts';
import { isForSale, type RelatedDomains, relatedDomains } from '../catalogue/related-domains.ts';
import type { Catalogue, DomainEntry } from '../catalogue/schema.ts';
import { shownName } from '../catalogue/shown-name.ts';
import { partsOf } from '../domain-name/parts-of.ts';
import { namesWithImage } from '../seo/share-image.ts';
import { alikeDomains } from './alike-domains.ts';
import { type LocalizedSite, localizedSites, parameterOf } from './localized-sites.ts';
import { priceRanks } from './price-ranks.ts';

/** A domain of the catalogue, with what no page may show, such as its price: pass an island single fields. */
export interface Domain extends DomainEntry {
  /** Decoded name, where it differs: an `xn--` name in its own letters. */
  shown?: string;
  /** Whether cards and lists leave the description out. */
  hasDefaultDescription: boolean;
}

export interface ForSale {
  /** By name. Those that are not for sale have a page of their own, and no other page shows them. */
  all: ReadonlyMap<string, Domain>;
  /** Those for sale, in the owner's order. */
  domains: Domain[];
  /** Of those for sale, to choose from. */
  endings: string[];
  related: RelatedDomains<Domain>;
  /** Those for sale that are most like another one, six at most. */
  alike: (domain: Domain) => Domain[];
  /** By name: see `priceRanks`. */
  ranks: ReadonlyMap<string, number>;
  settings: Catalogue['settings'];
  /** The site in each of its languages; the first is at the root. */
  sites: LocalizedSite[];
  /** Whether a domain has a minimum. */
  hasMinimum: boolean;
  /** The domains that have their own share image; the others share one. */
  ownImages: ReadonlySet<string>;
  branding: ShownBranding;
}

/** Cached: sorting the catalogue for each of thousands of pages would take longer than rendering them. */
export function forSale(): Promise<ForSale> {
  if (import.meta.env.DEV) return read();
  known ??= read();
  return known;
}
let known: Promise<ForSale> | undefined;

/** The site at the root, or the one that the route parameter `language` names. */
export async function localizedSite(parameter?: string): Promise<LocalizedSite> {
  const { sites } = await forSale();
  const site = sites.find((one) => parameterOf(one) === parameter);
  if (!site) throw new Error(`The site is not built in the language ${parameter}.`);
  return site;
}

async function read(): Promise<ForSale> {
  const settings = (await getEntry('settings', 'site'))?.data;
  const branding = (await getEntry('branding', 'own'))?.data;
  if (!settings || !branding) throw new Error('Could not load the catalogue. See src/content.config.ts.');
  const all = (await getCollection('domains'))
    .map(({ data }) => data)
    .toSorted((a, b) => a.position - b.position)
    .map(withShownName);
  const domains = all.filter(isForSale);
  const hasMinimum = all.some(({ minimum }) => minimum !== undefined);
  return {
    all: new Map(all.map((domain) => [domain.name, domain])),
    domains,
    endings: endingsOf(domains),
    related: relatedDomains(domains),
    alike: alikeDomains(domains),
    ranks: priceRanks(domains, settings),
    settings,
    sites: localizedSites(settings, branding.texts),
    hasMinimum,
    ownImages: new Set(namesWithImage(all)),
    branding,
  };
}

function withShownName(domain: Domain): Domain {
  const shown = shownName(domain.name);
  return shown === domain.name ? domain : { ...domain, shown };
}

/** Maximum number of endings to choose from: each is in every page of domains. Others can be typed. */
const MAX_ENDINGS = 24;

/** The endings that most domains have, in alphabetical order. */
function endingsOf(
  domains: readonly { readonly name: string; readonly shown?: string | undefined }[],
): string[] {
  const byEnding = Map.groupBy(domains, ({ name, shown }) => partsOf(shown ?? name).ending);
  return [...byEnding]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_ENDINGS)
    .map(([ending]) => ending)
    .toSorted();
}
