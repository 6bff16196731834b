import { createContext, useContext } from 'react';
import type { Currencies } from '#contract/currency-signs.ts';
import { type Price, priceOf } from '#contract/price-of.ts';
import { type ShownAmount, shownPrice } from '#contract/shown-amount.ts';
import type { Listings } from '../stores/asking-prices.ts';

/** State and price of the names in the list, as far as they are known. */
export const ShownListings = createContext<Listings>({});

/** The catalogue's setting `currencies`. */
export const SignCurrencies = createContext<Currencies | undefined>(undefined);

/** Null for a name that is not in the catalogue, undefined while that is not known. */
export function useListing(domain: string) {
  return useContext(ShownListings)[domain];
}

/** The owner's price as it is shown, with the amount where it is clear. */
export interface AskingPrice extends ShownAmount {
  readonly price: Price | undefined;
}

/** Undefined where a name has no price, and while that is not known. */
export function useAskingPrice(domain: string): AskingPrice | undefined {
  const text = useListing(domain)?.price?.trim();
  const currencies = useContext(SignCurrencies);
  return text ? { ...shownPrice(text, 'en', currencies), price: priceOf(text, currencies) } : undefined;
}
