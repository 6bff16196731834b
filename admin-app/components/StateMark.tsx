import { useListing } from './use-listing.ts';

const TEXTS: ReadonlyMap<string | undefined, string> = new Map([
  ['sold', 'Sold'],
  ['reserved', 'Reserved'],
]);

/** Marks a domain that takes no offers any more. */
export function StateMark({ domain }: { domain: string }) {
  const text = TEXTS.get(useListing(domain)?.state);
  if (text === undefined) return null;
  return (
    <>
      {' '}
      <span className="state-mark">{text}</span>
    </>
  );
}
