import type { Price } from '#contract/price-of.ts';
import type { DomainEntry } from '../catalogue/schema.ts';

/** Of schema.org's `ItemAvailability`. */
const AVAILABILITY = { sold: 'SoldOut', reserved: 'Reserved' } as const;

interface Product {
  readonly name: string;
  /** Undefined: the page does not show it. */
  readonly description: string | undefined;
  /** Undefined: the domain is for sale. */
  readonly state: DomainEntry['state'];
  /** The page's canonical URL. */
  readonly url: string;
  readonly image: string;
  /** Undefined: the price is not published. */
  readonly price: Price | undefined;
}

/**
 * A domain as schema.org's `Product` on offer, for `<script type="application/ld+json">`.
 * Nothing in it can end that element: `<` is written as an escape of JSON.
 */
export function productData({ name, description, state, url, image, price }: Product): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description,
    url,
    image,
    offers: {
      '@type': 'Offer',
      url,
      availability: `https://schema.org/${state ? AVAILABILITY[state] : 'InStock'}`,
      ...(price && { price: price.amount, priceCurrency: price.currency }),
    },
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
