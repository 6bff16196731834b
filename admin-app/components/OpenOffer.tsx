import { useStore } from '@nanostores/react';
import { lazy, Suspense } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { $open, toggleHistory } from '../stores/admin.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Spinner } from './Spinner.tsx';
import { useShownName } from './shown-names.ts';
import { useWaitsForOwner } from './TimeLeft.tsx';

/** Loaded once a row is opened: the rows do without. */
const OfferHistory = lazy(() => import('./OfferHistory.tsx'));

/** Opens and closes the row of an offer, in the cell of its status. A click on the row does the same. */
export function OpenButton({ offer }: { offer: Offer }) {
  const { id, customer_name, domain_name } = offer;
  const isOpen = useStore($open).has(id);
  const domain = useShownName(domain_name);
  const waits = useWaitsForOwner(offer);
  const word = waits ? 'Answer' : 'Open';
  return (
    <button
      type="button"
      className="open"
      data-waits={waits || undefined}
      aria-label={`${word} the offer of ${withoutDirectionMarks(customer_name)} for ${domain}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? idOf(id) : undefined}
      onClick={() => toggleHistory(id)}
    >
      <span key={word}>{word}</span>
    </button>
  );
}

/** The opened history, in the last cell of its row, so that the row is measured with it. */
export function OpenedOffer({ offer }: { offer: Offer }) {
  if (!useStore($open).has(offer.id)) return null;
  const id = idOf(offer.id);
  return (
    <ErrorBoundary
      what="the history and the answer"
      frame={(message) => (
        <section id={id} className="history" aria-label="History">
          {message}
        </section>
      )}
    >
      <Suspense
        fallback={
          <section id={id} className="history" aria-label="History" aria-busy="true">
            <Spinner text="Loading history..." />
          </section>
        }
      >
        <OfferHistory id={id} offer={offer} />
      </Suspense>
    </ErrorBoundary>
  );
}

function idOf(offer: string): string {
  return `history-${offer}`;
}
