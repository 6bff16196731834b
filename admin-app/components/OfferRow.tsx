import { type MouseEvent, memo, type Ref } from 'react';
import type { OfferStatus } from '#contract/offer.ts';
import { toggleHistory } from '../stores/admin.ts';
import type { ListedOffer } from '../stores/earlier-offers.ts';
import { COLUMNS } from './columns.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';

interface Props extends ListedOffer {
  /** The row's index among all offers. */
  row: number;
  /** The selected status while it is not saved yet. */
  chosen: OfferStatus | undefined;
  /** The error of saving it. */
  error: string | undefined;
  ref?: Ref<HTMLTableRowElement>;
}

export const OfferRow = memo(function OfferRow({ row, offer, group, earlier, chosen, error, ref }: Props) {
  const attributes = {
    ref,
    'data-index': row,
    'data-earlier': (group && earlier === 0) || undefined,
    'aria-rowindex': row + FIRST_ROW,
  };
  return (
    <ErrorBoundary
      what="this offer"
      frame={(message) => (
        <tr {...attributes} className="failed-row">
          <td colSpan={COLUMNS.length}>{message}</td>
        </tr>
      )}
    >
      <tr {...attributes} onClick={(event) => isOnRow(event) && toggleHistory(offer.id)}>
        {COLUMNS.map(({ title, Cell }) => (
          <td key={title} data-column={title}>
            <Cell {...{ offer, group, earlier, chosen, error }} />
          </td>
        ))}
      </tr>
    </ErrorBoundary>
  );
});

/** What a click is for itself: links and controls, a text that scrolls, and what opens in a row. */
const OWN_CLICK = 'a, button, select, input, label, dialog, .long, .history, .menu, .row-error';

/** Whether a click is meant for the row, as its button: not on what has its own, nor at the end of a selection. */
function isOnRow({ target }: MouseEvent): boolean {
  const isOwn = target instanceof Element && target.closest(OWN_CLICK) !== null;
  return !isOwn && getSelection()?.isCollapsed !== false;
}

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
