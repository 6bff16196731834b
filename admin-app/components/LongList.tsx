import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { viewRows } from '../stores/desk.ts';
import { offerAt } from '../stores/offer-list.ts';
import { EmptyRow, OfferRow } from './OfferRow.tsx';
import type { RowsProps } from './OffersTable.tsx';
import { withRow } from './with-row.ts';

/** The rows in sight of a list that is too long for the page; two empty ones stand for all above and below. */
export function LongList({ list, saving }: RowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: list.index.total,
    estimateSize: () => (cards.matches ? 160 : 65),
    overscan: 10,
    scrollMargin: useTop(body),
    // A row that holds the focus stays, however far one scrolls: the keyboard would be lost with it.
    rangeExtractor: (range) => withRow(range, focused),
  });
  const inSight = rows.getVirtualItems();
  useNewSizes(rows.measure);
  useViewedRows(list.index, rows.range);

  let end = rows.options.scrollMargin;
  return (
    <tbody
      ref={body}
      onFocus={({ target }) => setFocused(Number(target.closest('tr')?.getAttribute('data-index')))}
      onBlur={() => setFocused(undefined)}
    >
      {inSight.flatMap(({ index: row, start, end: rowEnd }) => {
        const gap = start - end;
        end = rowEnd;
        const offer = offerAt(list, row);
        // Known rows are keyed by their offer, so that the focus stays with it when the list is reloaded.
        const key = offer?.id ?? row;
        return [
          gap > 0 && <Gap key={`before ${key}`} height={gap} />,
          offer ? (
            <OfferRow
              key={key}
              ref={rows.measureElement}
              row={row}
              offer={offer}
              chosen={saving.get(offer.id)}
            />
          ) : (
            <EmptyRow key={key} ref={rows.measureElement} row={row} />
          ),
        ];
      })}
      <Gap height={rows.getTotalSize() + rows.options.scrollMargin - end} />
    </tbody>
  );
}

/** Where a row is likely a card, as desk.css has it. Asked once and not for each of 100,000 rows. */
const cards = matchMedia('(width < 64rem)');

function useNewSizes(measureAnew: () => void) {
  useEffect(() => {
    cards.addEventListener('change', measureAnew);
    return () => cards.removeEventListener('change', measureAnew);
  }, [measureAnew]);
}

function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can take the focus
    <tr className="gap" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}

/** How far down the document an element begins. It moves when a message appears above it. */
function useTop(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}

/** Rows above and below the screen whose offers are fetched before they come into sight. */
const NEAR = 40;

/** Asks for the offers in sight and near, once the scrolling pauses: not for all that flew past. */
function useViewedRows(list: unknown, range: { startIndex: number; endIndex: number } | null) {
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list has to be asked for its rows as well
  useEffect(() => {
    const pause = setTimeout(() => viewRows(first - NEAR, last + NEAR), 60);
    return () => clearTimeout(pause);
  }, [list, first, last]);
}
