import { useListing } from './listings.ts';

/** The owner's price, beside the amount. Nothing while it is unknown. */
export function AskingPrice({ domain }: { domain: string }) {
  const price = useListing(domain)?.price?.trim();
  if (!price) return null;
  return (
    <>
      {' '}
      <small className="asking">{`asking ${price}`}</small>
    </>
  );
}
