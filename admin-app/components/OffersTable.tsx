import { isLong } from '../stores/offer-list.ts';
import type { LoadedOffers } from '../stores/offers.ts';
import { COLUMNS } from './columns.tsx';
import { LongList } from './LongList.tsx';
import { OfferRow } from './OfferRow.tsx';

/** All offers: every row on the page, or of a long list those in sight. */
export function OffersTable({ list, saving, reloading }: LoadedOffers) {
  return (
    <table aria-label="Domain Offers" aria-rowcount={list.index.total + 1} aria-busy={reloading}>
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {isLong(list.index) ? (
        <LongList list={list} saving={saving} />
      ) : (
        <WholeList list={list} saving={saving} />
      )}
    </table>
  );
}

function WholeList({ list, saving }: Pick<LoadedOffers, 'list' | 'saving'>) {
  const offers = [...list.pages.keys()].sort((a, b) => a - b).flatMap((page) => list.pages.get(page) ?? []);
  return (
    <tbody>
      {offers.map((offer, row) => (
        <OfferRow key={offer.id} row={row} offer={offer} chosen={saving.get(offer.id)} />
      ))}
    </tbody>
  );
}
