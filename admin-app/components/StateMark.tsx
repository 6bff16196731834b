import { useListing } from './listings.ts';

const TEXTS: ReadonlyMap<string | undefined, string> = new Map([
  ['sold', 'Sold'],
  ['reserved', 'Reserved'],
]);

/** Marks a domain that takes no offers any more. */
export function StateMark({ domain }: { domain: string }) {
  const listing = useListing(domain);
  const text = listing === null ? 'Not in the catalogue' : TEXTS.get(listing?.state);
  if (text === undefined) return null;
  return (
    <>
      {' '}
      <span className="state-mark">{text}</span>
    </>
  );
}
