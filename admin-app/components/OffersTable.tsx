import { useStore } from '@nanostores/react';
import { useMutationState } from '@tanstack/react-query';
import {
  type CSSProperties,
  lazy,
  type RefObject,
  startTransition,
  useContext,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Offer } from '#contract/offer.ts';
import { $choices, $linked, $now, $open, $shownGroups, offersStore, showGroup } from '../stores/admin.ts';
import { isListed, type ListedOffer, withGroups } from '../stores/earlier-offers.ts';
import { isLong, offerAt } from '../stores/offer-list.ts';
import type { Choices } from '../stores/offer-status.ts';
import { statusMutations, updateErrorOf } from '../stores/offer-status.ts';
import { COLUMNS, ShownMessageLines } from './columns.tsx';
import { RejectedConfirmations } from './EmailCell.tsx';
import { ShownListings } from './listings.ts';
import { EmptyRow, OfferRow } from './OfferRow.tsx';
import { ReplyWithin, ShownStandings } from './TimeLeft.tsx';
import { turnOf } from './time-left.ts';
import { useMessages } from './use-messages.ts';
import type { LoadedOffers } from './use-offers.ts';
import './offers-table.css';

/** Loaded for more rows than are on the page at once. */
const loadLongList = () => import('./LongList.tsx');
const LongList = lazy(loadLongList);

/** The offers of the list: every row, or only those in view of a long list. */
export function OffersTable({ list, pages, listings, messageLines, standings, reloading }: LoadedOffers) {
  const choices = useStore($choices);
  const rejected = useMessages()?.rejected_confirmations ?? NONE;
  const errors = new Map(useUpdateErrors().map(({ id, message }) => [id, message]));
  const changes = { choices, errors };
  const table = useRef<HTMLTableElement>(null);
  const isVirtual = useIsVirtual(isLong(list.index), table);
  return (
    <ShownListings value={listings}>
      <ShownMessageLines value={messageLines}>
        <RejectedConfirmations value={rejected}>
          <ShownStandings value={standings}>
            <table
              ref={table}
              // The columns of a long list must not change with the rows in view.
              className={isVirtual ? 'fixed' : undefined}
              style={WIDTHS}
              aria-label="Domain Offers"
              aria-rowcount={(isVirtual || !isLong(list.index) ? list.index.total : list.newest.length) + 1}
              aria-busy={reloading}
            >
              <thead>
                <tr aria-rowindex={1}>
                  {COLUMNS.map(({ title }) => (
                    <th key={title} data-column={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              {isVirtual ? (
                <LongOffers list={list} pages={pages} {...changes} />
              ) : (
                <ShortList list={list} pages={pages} {...changes} />
              )}
            </table>
          </ShownStandings>
        </RejectedConfirmations>
      </ShownMessageLines>
    </ShownListings>
  );
}

/**
 * Whether a long list takes the place of its first rows, which stay until LongList is loaded, and while one of them is in use: its
 * focus would be lost with it.
 */
function useIsVirtual(isLong: boolean, table: RefObject<HTMLTableElement | null>): boolean {
  const [isVirtual, setVirtual] = useState(false);
  useEffect(() => {
    if (!isLong) setVirtual(false);
    if (!isLong || isVirtual) return;
    const waiting = new AbortController();
    const show = () => startTransition(() => setVirtual(true));
    // Where it cannot be loaded, the list shows the error.
    loadLongList().then(({ onceUnused }) => onceUnused(table, waiting.signal, show), show);
    return () => waiting.abort();
  }, [isLong, isVirtual, table]);
  return isVirtual && isLong;
}

/** All rows, without earlier offers of a customer for the same name until they are shown, or while one of them is open. */
function ShortList({ list, pages, choices, errors }: RowsProps) {
  const shown = useStore($shownGroups);
  const open = useStore($open);
  const linked = useStore($linked);
  const now = useStore($now);
  const standings = useContext(ShownStandings);
  const replyWithin = useContext(ReplyWithin);
  const waits = (offer: Offer) => {
    const standing = standings[offer.id];
    return standing !== undefined && turnOf(offer, standing, now, replyWithin)?.tone !== undefined;
  };
  const offers = [...pages.values()].flat();
  const isWhole = useDeferredValue(true, false);
  // In another order the newest one is not the first.
  const listed: ListedOffer[] = list.filter.sort
    ? offers.map((offer) => ({ offer, earlier: 0 }))
    : withGroups(offers);
  const linkedGroup =
    linked.status === 'found' ? listed.find(({ offer }) => offer.id === linked.id)?.group : undefined;
  useEffect(() => {
    if (linkedGroup) showGroup(linkedGroup);
  }, [linkedGroup]);
  return (
    <tbody>
      {(isWhole ? listed : listed.slice(0, FIRST_ROWS)).map((one, row) => {
        const { offer, group, earlier } = one;
        return !isListed(one, { shown, open, waits }) ? null : (
          <OfferRow
            key={offer.id}
            {...{ row, offer, group, earlier }}
            chosen={choices[offer.id]}
            error={errors.get(offer.id)}
          />
        );
      })}
    </tbody>
  );
}

interface RowsProps extends Pick<LoadedOffers, 'list' | 'pages'> {
  readonly choices: Choices;
  /** By offer id. */
  readonly errors: ReadonlyMap<string, string>;
}

function LongOffers({ list, pages, choices, errors }: RowsProps) {
  const linked = useStore($linked);
  return (
    <LongList
      total={list.index.total}
      heights={HEIGHTS}
      target={linked.status === 'found' && !linked.isFocused ? linked.row : undefined}
      onView={showRows}
    >
      {(row, ref) => {
        const offer = offerAt(pages, row);
        // Loaded rows are keyed by offer, so that the focus stays on it after a reload.
        return offer ? (
          <OfferRow
            key={offer.id}
            ref={ref}
            row={row}
            offer={offer}
            earlier={0}
            chosen={choices[offer.id]}
            error={errors.get(offer.id)}
          />
        ) : (
          <EmptyRow key={row} ref={ref} row={row} />
        );
      }}
    </LongList>
  );
}

/** Rows that are drawn before the others: as many as a screen has. A slow phone takes more than a second for 100. */
const FIRST_ROWS = 20;

/** As in offers-table.css. */
const HEIGHTS = { wide: 4, card: 9.625, cards: matchMedia('(width < 70rem)') };

const showRows = (rows: readonly [first: number, last: number]) => offersStore.$inView.set(rows);

const NONE: readonly string[] = [];

const WIDTHS = { '--columns': COLUMNS.map(({ width }) => width).join(' ') } as CSSProperties;

/** Errors of saving a status, in and out of the list. */
export function useUpdateErrors() {
  return useMutationState({ filters: { ...statusMutations, status: 'error' }, select: updateErrorOf });
}
