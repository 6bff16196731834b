import { memo, type Ref } from 'react';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { COLUMNS } from './columns.tsx';

interface Props {
  /** The row's place among all offers, from 0. */
  row: number;
  offer: Offer;
  /** The status chosen for it that is not saved yet. */
  chosen: OfferStatus | undefined;
  ref?: Ref<HTMLTableRowElement>;
}

export const OfferRow = memo(function OfferRow({ row, offer, chosen, ref }: Props) {
  return (
    <tr ref={ref} data-index={row} aria-rowindex={row + FIRST_ROW}>
      {COLUMNS.map(({ title, Cell }) => (
        <td key={title}>
          <Cell offer={offer} chosen={chosen} />
        </td>
      ))}
    </tr>
  );
});

/** Holds the place of an offer that is on its way. */
export function EmptyRow({ row, ref }: Pick<Props, 'row' | 'ref'>) {
  return (
    <tr ref={ref} data-index={row} aria-rowindex={row + FIRST_ROW} className="placeholder">
      <td colSpan={COLUMNS.length}>…</td>
    </tr>
  );
}

/** `aria-rowindex` counts from 1, and the titles are a row too. */
const FIRST_ROW = 2;
