import { useStore } from '@nanostores/react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { $linked, offersStore } from '../stores/admin.ts';
import { offerAt } from '../stores/offer-list.ts';
import type { Choices } from '../stores/offer-status.ts';
import { EmptyRow, OfferRow } from './OfferRow.tsx';
import type { LoadedOffers } from './use-offers.ts';
import { withRow } from './with-row.ts';

interface Props extends Pick<LoadedOffers, 'list' | 'pages'> {
  readonly choices: Choices;
  /** By offer id. */
  readonly errors: ReadonlyMap<string, string>;
}

/** A virtualised list: the rows in view, with empty rows in place of those above and below. */
export function LongList({ list, pages, choices, errors }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const likelyHeight = useLikelyHeight();
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: list.index.total,
    estimateSize: () => likelyHeight,
    overscan: 10,
    scrollMargin: useTop(body),
    // Keeps the focused row while scrolling, so that the focus is not lost.
    rangeExtractor: (range) => withRow(range, focused),
  });
  const inSight = rows.getVirtualItems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another likely height makes the old sizes wrong
  useLayoutEffect(rows.measure, [likelyHeight]);
  useViewedRows(rows.range);
  useLinkedRow(rows.scrollToIndex);

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
        const offer = offerAt(pages, row);
        // Loaded rows are keyed by offer, so that the focus stays on it after a reload.
        const key = offer?.id ?? row;
        return [
          gap > 0 && <Gap key={`before ${key}`} height={gap} />,
          offer ? (
            <OfferRow
              key={key}
              ref={rows.measureElement}
              row={row}
              offer={offer}
              chosen={choices[offer.id]}
              error={errors.get(offer.id)}
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

/** Width below which rows are cards, as in offers-table.css. */
const cards = matchMedia('(width < 61.75rem)');

/** The root font size, in pixels. */
const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * Estimated height of a row that is not measured yet, in pixels. Each wrong estimate repositions all rows below, up to
 * 100,000, so it is exact for wide rows. For cards see offers-table.css. The media query is evaluated once, not per row.
 */
function useLikelyHeight(): number {
  return useSyncExternalStore(onCardsChange, () => cards.matches) ? 9.625 * rem : 4 * rem;
}

function onCardsChange(listen: () => void) {
  cards.addEventListener('change', listen);
  return () => cards.removeEventListener('change', listen);
}

function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can take the focus
    <tr className="gap" aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}

/** Distance of an element from the top of the document. It changes when a message appears above it. */
function useTop(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}

/** Scrolls to the row of the offer that the URL names; the row then takes the focus. */
function useLinkedRow(scrollToIndex: (row: number, options: { align: 'center' }) => void) {
  const linked = useStore($linked);
  const row = linked.status === 'found' && !linked.isFocused ? linked.row : undefined;
  useEffect(() => {
    if (row !== undefined) scrollToIndex(row, { align: 'center' });
  }, [row, scrollToIndex]);
}

/** Rows above and below the viewport whose offers are fetched in advance. */
const PRELOADED_ROWS = 40;

/** Fetches the offers in view and near it once scrolling pauses, so that rows scrolled past are skipped. */
function useViewedRows(range: { startIndex: number; endIndex: number } | null) {
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  useEffect(() => {
    const timer = setTimeout(
      () => offersStore.$inView.set([first - PRELOADED_ROWS, last + PRELOADED_ROWS]),
      60,
    );
    return () => clearTimeout(timer);
  }, [first, last]);
}
