import { memo, type Ref } from 'react';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { COLUMNS } from './columns.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';

interface Props {
  /** The row's index among all offers. */
  row: number;
  offer: Offer;
  /** The selected status while it is not saved yet. */
  chosen: OfferStatus | undefined;
  /** The error of saving it. */
  error: string | undefined;
  ref?: Ref<HTMLTableRowElement>;
}

export const OfferRow = memo(function OfferRow({ row, offer, chosen, error, ref }: Props) {
  const attributes = { ref, 'data-index': row, 'aria-rowindex': row + FIRST_ROW };
  return (
    <ErrorBoundary
      what="this offer"
      frame={(message) => (
        <tr {...attributes} className="failed-row">
          <td colSpan={COLUMNS.length}>{message}</td>
        </tr>
      )}
    >
      <tr {...attributes}>
        {COLUMNS.map(({ title, Cell }) => (
          <td key={title}>
            <Cell offer={offer} chosen={chosen} error={error} />
          </td>
        ))}
      </tr>
    </ErrorBoundary>
  );
});

/** Placeholder for an offer that is being loaded. */
export function EmptyRow({ row, ref }: Pick<Props, 'row' | 'ref'>) {
  return (
    <tr ref={ref} data-index={row} aria-rowindex={row + FIRST_ROW} className="placeholder">
      <td colSpan={COLUMNS.length}>…</td>
    </tr>
  );
}

/** `aria-rowindex` counts from 1, and the column titles are row 1. */
const FIRST_ROW = 2;
