/** The catalogue for the pages, read from the content layer once per build. */

import { getCollection, getEntry } from 'astro:content';
import type { Description } from '../catalogue/description.ts';
import { isForSale } from '../catalogue/is-for-sale.ts';
import { hasOwnImages } from '../catalogue/own-images.ts';
import { type RelatedDomains, relatedDomains } from '../catalogue/related-domains.ts';
import type { Catalogue, DomainEntry, OwnersLink } from '../catalogue/schema.ts';
import { shownName } from '../catalogue/shown-name.ts';
import { setFormSettings } from '../i18n/island-messages.ts';
import type { ShownLook } from '../look/shown-look.ts';
import { type Price, priceOf } from '../seo/price-of.ts';
import { type LocalizedSite, localizedSites, parameterOf } from './localized-sites.ts';

/** The public fields of a domain, without its price. */
export interface Domain {
  name: string;
  /** Decoded name, where it differs: an `xn--` name in its own letters. */
  shown?: string;
  description: Description;
  hasBroker: boolean;
}

/** A domain that is sold or reserved. */
export interface DomainNotForSale extends Pick<Domain, 'name' | 'shown'> {
  state: NonNullable<DomainEntry['state']>;
}

/** A price that visitors see. */
interface ShownPrice {
  /** As the owner wrote it. */
  text: string;
  /** Undefined where the text cannot be parsed. */
  price: Price | undefined;
}

export type { OwnersLink };

export interface ForSale {
  /** In the owner's order. */
  domains: Domain[];
  /** By name. They have a page of their own, and no other page shows them. */
  notForSale: ReadonlyMap<string, DomainNotForSale>;
  related: RelatedDomains<Domain>;
  brokerUrl: string;
  /** The site in each of its languages; the first is at the root. */
  sites: LocalizedSite[];
  /** Other hosts of the site; the first is the canonical host of pages without a domain. */
  hosts: string[];
  /** The owner's longer texts by domain, in Markdown. */
  abouts: ReadonlyMap<string, string>;
  /** The domains that have their own share image; the others share one. */
  ownImages: ReadonlySet<string>;
  /** The owner's email, if published. */
  contact: string | undefined;
  look: ShownLook;
  /** By domain; empty with `showPrice: never`. */
  prices: ReadonlyMap<string, ShownPrice>;
  seller: Seller;
  /** By domain; only those that have any. */
  waysToBuy: ReadonlyMap<string, WaysToBuy>;
}

/** Who sells, as far as the owner says so. */
export interface Seller extends Pick<Catalogue['settings'], 'owner' | 'escrow' | 'offerMessage'> {
  links: OwnersLink[];
}

/** URLs of other ways to buy a domain. */
export type WaysToBuy = Pick<DomainEntry, 'buyNow' | 'instalments'>;

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
  const settings = await getEntry('settings', 'site');
  const look = (await getEntry('look', 'own'))?.data;
  if (!settings || !look) throw new Error('Could not load the catalogue. See src/content.config.ts.');
  const { brokerUrl, contact, hosts, languages, showPrice } = settings.data;
  const { owner, links = [], escrow, emailUse, offerMessage } = settings.data;
  setFormSettings({ emailUse, offerMessage, ownersLanguage: languages[0] });
  // Without price and longer text: all that is passed to an island becomes part of the page.
  const entries = (await getCollection('domains'))
    .map(({ data }) => data)
    .toSorted((a, b) => a.position - b.position);
  const domains = entries.filter(isForSale).map(({ name, description, hasBroker }) => {
    return { ...namesOf(name), description, hasBroker };
  });
  const notForSale = entries.flatMap(({ name, state }) => {
    return state ? [[name, { ...namesOf(name), state }] as const] : [];
  });
  const prices = entries.map(({ name, price }) => [name, { text: price, price: priceOf(price) }] as const);
  const waysToBuy = entries.flatMap(({ name, buyNow, instalments }) => {
    return buyNow || instalments ? [[name, { buyNow, instalments }] as const] : [];
  });
  const ownImages = hasOwnImages(settings.data, entries.length) ? domains.map(({ name }) => name) : [];
  return {
    domains,
    notForSale: new Map(notForSale),
    related: relatedDomains(domains),
    brokerUrl,
    sites: localizedSites(languages, look.texts),
    look,
    hosts,
    abouts: new Map(entries.flatMap(({ name, about }) => (about ? [[name, about] as const] : []))),
    contact,
    ownImages: new Set(ownImages),
    prices: new Map(showPrice === 'page' ? prices : []),
    seller: { owner, links, escrow, offerMessage },
    waysToBuy: new Map(waysToBuy),
  };
}

function namesOf(name: string): Pick<Domain, 'name' | 'shown'> {
  const shown = shownName(name);
  return { name, ...(shown !== name && { shown }) };
}
