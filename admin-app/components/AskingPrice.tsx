import { useListing } from './use-listing.ts';

/** The owner's price, in the cell of the amount. Nothing while it is unknown. */
export function AskingPrice({ domain }: { domain: string }) {
  const price = useListing(domain)?.price?.trim();
  if (!price) return null;
  return (
    <small className="asking" title={price}>
      {/* Space before the text, so that it does not run into the amount when it is read or copied. */}
      {' asking '}
      <bdi>{price}</bdi>
    </small>
  );
}
