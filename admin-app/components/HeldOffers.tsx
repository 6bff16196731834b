import { loadMoreHeld } from '../stores/admin.ts';
import type { LoadedOffers } from '../stores/offers.ts';
import { ColumnTitles, Rows } from './OffersTable.tsx';

const ID = 'held-offers';

/** Offers submitted during an unusual number of offers; empty where there are none. */
export function HeldOffers({ held, saving, reloading }: LoadedOffers) {
  if (held.offers.length === 0) return null;
  return (
    <section className="held" id={ID} aria-labelledby="held-title">
      <h2 id="held-title" tabIndex={-1}>
        Held for review
      </h2>
      <p>
        These offers arrived while unusually many were being made, so some of them may come from a program.
        They are stored like all others.
      </p>
      <table
        aria-labelledby="held-title"
        // -1: unknown.
        aria-rowcount={held.hasMore ? -1 : held.offers.length + 1}
        aria-busy={reloading}
      >
        <ColumnTitles />
        <Rows offers={held.offers} saving={saving} />
      </table>
      {held.hasMore && (
        <button type="button" className="button quiet" onClick={loadMoreHeld}>
          Show more
        </button>
      )}
    </section>
  );
}

/** Link from the top of a long list to the held offers below it. */
export function HeldOffersLink({ held }: LoadedOffers) {
  if (held.offers.length === 0) return null;
  const count = `${held.offers.length}${held.hasMore ? '+' : ''}`;
  return (
    <p>
      <a href={`#${ID}`}>{count === '1' ? '1 offer is' : `${count} offers are`} held for review</a>
    </p>
  );
}
