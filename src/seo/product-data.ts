import type { Price } from './price-of.ts';

interface Product {
  readonly name: string;
  readonly description: string;
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
export function productData({ name, description, url, image, price }: Product): string {
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
      availability: 'https://schema.org/InStock',
      ...(price && { price: price.amount, priceCurrency: price.currency }),
    },
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
