import { useStore } from '@nanostores/react';
import { $waiting, reloadOffers } from '../stores/admin.ts';
import type { Waiting } from '../stores/new-offers.ts';
import './new-offers-bar.css';

/** Announces offers that were not inserted because that would have moved the rows in use. */
export function NewOffersBar() {
  const waiting = useStore($waiting);

  async function insert() {
    if (!(await reloadOffers())) return;
    // The button is gone; the new rows follow the heading.
    const heading = document.getElementById('offers-title');
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }

  return (
    <div className="new-offers" role="status">
      {waiting.offers + waiting.held > 0 && (
        <button type="button" className="button" onClick={insert}>
          {textOf(waiting)}
        </button>
      )}
    </div>
  );
}

function textOf({ offers, orMore, held }: Waiting): string {
  if (offers === 0) return held === 1 ? '1 new held offer' : `${held} new held offers`;
  return offers === 1 ? '1 new offer' : `${offers}${orMore ? '+' : ''} new offers`;
}
