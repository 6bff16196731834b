import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { withRow } from './with-row.ts';

/** Heights of a row that is not measured yet, in rem, and the width of the window below which rows are cards. */
interface LikelyHeights {
  readonly wide: number;
  readonly card: number;
  readonly cards: MediaQueryList;
}

interface Props {
  /** Number of rows. */
  readonly total: number;
  readonly heights: LikelyHeights;
  /** A row to scroll to. */
  readonly target?: number | undefined;
  /** Gets the rows in view and those near it once scrolling pauses. */
  readonly onView: (rows: readonly [first: number, last: number]) => void;
  /** A row, with a key; its element needs `ref` and `data-index`. */
  readonly children: (row: number, ref: Ref<HTMLTableRowElement>) => ReactNode;
}

/** After each of these the focus may have left the rows of a table, or they the screen. */
const LEAVING = ['focusin', 'click', 'scroll'] as const;

/** Calls `replace` once no row on the screen has the focus, which would be lost with it. */
export function onceUnused(
  table: RefObject<HTMLTableElement | null>,
  signal: AbortSignal,
  replace: () => void,
): void {
  const check = () => {
    const row = table.current?.querySelector('tbody tr:focus-within')?.getBoundingClientRect();
    if (!row || row.bottom <= 0 || row.top >= innerHeight) replace();
  };
  if (signal.aborted) return;
  check();
  for (const event of LEAVING) document.addEventListener(event, check, { passive: true, signal });
}

/** A virtualised list: the rows in view, with empty rows in place of those above and below. */
export default function LongList({ total, heights, target, onView, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const likelyHeight = useLikelyHeight(heights);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: total,
    estimateSize: () => likelyHeight,
    overscan: 10,
    scrollMargin: useTop(body),
    // Keeps the focused row while scrolling, so that the focus is not lost.
    rangeExtractor: (range) => withRow(range, focused),
  });
  const inSight = rows.getVirtualItems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another likely height makes the old sizes wrong
  useLayoutEffect(rows.measure, [likelyHeight]);
  useViewedRows(rows.range, onView);
  useTarget(target, rows.scrollToIndex);

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
        return [gap > 0 && <Gap key={`before ${row}`} height={gap} />, children(row, rows.measureElement)];
      })}
      <Gap height={rows.getTotalSize() + rows.options.scrollMargin - end} />
    </tbody>
  );
}

/** The root font size, in pixels. */
const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * Estimated height of a row that is not measured yet, in pixels. Each wrong estimate repositions all rows below, up to
 * 100,000, so it is exact for wide rows. The media query is evaluated once, not per row.
 */
function useLikelyHeight({ wide, card, cards }: LikelyHeights): number {
  const listen = (change: () => void) => {
    cards.addEventListener('change', change);
    return () => cards.removeEventListener('change', change);
  };
  return (useSyncExternalStore(listen, () => cards.matches) ? card : wide) * rem;
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
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}

/** Scrolls to a row, which then takes the focus itself. */
function useTarget(
  row: number | undefined,
  scrollToIndex: (row: number, options: { align: 'center' }) => void,
) {
  useEffect(() => {
    if (row !== undefined) scrollToIndex(row, { align: 'center' });
  }, [row, scrollToIndex]);
}

/** Rows above and below the viewport that are fetched in advance. */
const PRELOADED_ROWS = 40;

/** Reports the rows in view once scrolling pauses, so that rows scrolled past are skipped. */
function useViewedRows(range: { startIndex: number; endIndex: number } | null, onView: Props['onView']) {
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => onView([first - PRELOADED_ROWS, last + PRELOADED_ROWS]), 60);
    return () => clearTimeout(timer);
  }, [first, last, onView]);
}
