import type { Offer, OfferStatus } from '#contract/offer.ts';
import { isLong } from '../stores/offer-list.ts';
import type { LoadedOffers } from '../stores/offers.ts';
import { COLUMNS } from './columns.tsx';
import { LongList } from './LongList.tsx';
import { OfferRow } from './OfferRow.tsx';
import './offers-table.css';

/** All offers except held ones: every row, or only those in view of a long list. */
export function OffersTable({ list, saving, reloading }: LoadedOffers) {
  return (
    <table
      // The columns of a long list must not change with the rows in view.
      className={isLong(list.index) ? 'fixed' : undefined}
      aria-label="Domain Offers"
      aria-rowcount={list.index.total + 1}
      aria-busy={reloading}
    >
      <ColumnTitles />
      {isLong(list.index) ? (
        <LongList list={list} saving={saving} />
      ) : (
        <Rows offers={[...list.pages.values()].flat()} saving={saving} />
      )}
    </table>
  );
}

export function ColumnTitles() {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {COLUMNS.map(({ title }) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowsProps {
  offers: readonly Offer[];
  saving: ReadonlyMap<string, OfferStatus>;
}

export function Rows({ offers, saving }: RowsProps) {
  return (
    <tbody>
      {offers.map((offer, row) => (
        <OfferRow key={offer.id} row={row} offer={offer} chosen={saving.get(offer.id)} />
      ))}
    </tbody>
  );
}
