import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { viewRows } from '../stores/admin.ts';
import { offerAt } from '../stores/offer-list.ts';
import type { LoadedOffers } from '../stores/offers.ts';
import { EmptyRow, OfferRow } from './OfferRow.tsx';
import { withRow } from './with-row.ts';

/** The rows in sight of a list that is too long for the page; two empty ones stand for all above and below. */
export function LongList({ list, saving }: Pick<LoadedOffers, 'list' | 'saving'>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const likelyHeight = useLikelyHeight();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: list.index.total,
    estimateSize: () => likelyHeight,
    overscan: 10,
    scrollMargin: useTop(body),
    // A row that holds the focus stays, however far one scrolls: the keyboard would be lost with it.
    rangeExtractor: (range) => withRow(range, focused),
  });
  const inSight = rows.getVirtualItems();
  useNewSizes(likelyHeight, rows.measure);
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

/** Where a row is likely a card, as in admin.css. */
const cards = matchMedia('(width < 72rem)');

/** The size of the page's letters that the reader has chosen, in pixels. */
const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * Of a row not measured yet, in pixels. A row of another height has the places of all below it counted anew, up to
 * 100,000: so it is exact where it can be, for a wide row (admin.css says why a card has 10rem), and the browser is asked
 * before the count and not for each row of it.
 */
function useLikelyHeight(): number {
  return useSyncExternalStore(onCardsChange, () => cards.matches) ? 10 * rem : 4 * rem;
}

function onCardsChange(listen: () => void) {
  cards.addEventListener('change', listen);
  return () => cards.removeEventListener('change', listen);
}

function useNewSizes(likelyHeight: number, measureAnew: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another likely height makes the old sizes wrong
  useLayoutEffect(measureAnew, [likelyHeight, measureAnew]);
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

/** Rows above and below the viewport whose offers are fetched in advance. */
const PRELOADED_ROWS = 40;

/** Asks for the offers in sight and near, once the scrolling pauses: not for all that flew past. */
function useViewedRows(list: unknown, range: { startIndex: number; endIndex: number } | null) {
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list has to be asked for its rows as well
  useEffect(() => {
    const timer = setTimeout(() => viewRows(first - PRELOADED_ROWS, last + PRELOADED_ROWS), 60);
    return () => clearTimeout(timer);
  }, [list, first, last]);
}
