/** Three offers, and how the dashboard lists them. */
import type { Locator, Page } from '@playwright/test';
import { makeOffer } from '../support/calls.ts';
import type { Product } from '../support/product.ts';

/** By Ada, then Grace, then Alan. @returns their ids */
export async function makeThreeOffers(product: Product): Promise<string[]> {
  return [
    await makeOffer(product),
    await makeOffer(product, {
      domain_name: 'host.example',
      customer_name: 'Grace Hopper',
      customer_email: 'grace@example.com',
      offer_amount: '1,000 €',
    }),
    await makeOffer(product, {
      customer_name: 'Alan Turing',
      customer_email: 'alan@example.com',
      offer_amount: '100% of it',
    }),
  ];
}

/** The cells of the column Customer. */
export function customers(page: Page): Locator {
  return page.locator('tbody td[data-column="Customer"]');
}
