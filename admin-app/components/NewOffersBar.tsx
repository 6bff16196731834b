import { useQuery } from '@tanstack/react-query';
import { newOffersQuery, offersStore } from '../stores/admin.ts';
import { type Waiting, waitingOf } from '../stores/new-offers.ts';
import type { OfferList } from '../stores/offer-list.ts';
import { isTyping } from './is-typing.ts';
import './new-offers-bar.css';

/** Announces offers that were not inserted because that would have moved the rows in use. */
export function NewOffersBar({ list }: { list: OfferList }) {
  const { data } = useQuery(newOffersQuery);
  const waiting = waitingOf(data, list);

  async function insert() {
    if (!(await offersStore.reload())) return;
    // The button is gone; the new rows follow the heading. Not where a field has been entered meanwhile.
    if (isTyping()) return;
    const heading = document.getElementById('offers-title');
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }

  return (
    <div className="new-offers" role="status">
      {waiting.offers > 0 && (
        <button type="button" className="button" onClick={insert}>
          {textOf(waiting)}
        </button>
      )}
    </div>
  );
}

function textOf({ offers, orMore }: Waiting): string {
  return offers === 1 ? '1 new offer' : `${offers}${orMore ? '+' : ''} new offers`;
}
