import { lazy, Suspense } from 'react';
import type { ListingState } from '#contract/publication.ts';
import { useListing } from './listings.ts';

/** Read with the stores of names, once it is offered. */
const SetNameState = lazy(() => import('./SetNameState.tsx'));

/** Offers to give a name a state. Nothing where it has it, or has left the catalogue. */
export function NameState({ name, to }: { name: string; to: ListingState }) {
  const listing = useListing(name);
  // A name that is sold takes no offers either.
  const isDone = listing?.state === to || (to === 'reserved' && listing?.state === 'sold');
  if (listing === null || isDone) return null;
  return (
    <div className="name-state" tabIndex={-1}>
      <Suspense>
        <SetNameState name={name} to={to} />
      </Suspense>
    </div>
  );
}
