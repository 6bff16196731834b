import { useListing } from './listings.ts';

/**
 * The owner's price, in the cell of the amount. Nothing while it is unknown. The style sheet writes it, so that the
 * cell's text is the amount exactly as the customer entered it, also when it is copied. Screen readers read it at the list
 * of states in the same row.
 */
export function AskingPrice({ domain }: { domain: string }) {
  const price = useListing(domain)?.price?.trim();
  if (!price) return null;
  return <small className="asking" aria-hidden="true" title={`asking ${price}`} data-price={price} />;
}
