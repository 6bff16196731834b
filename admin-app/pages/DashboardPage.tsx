import './dashboard-page.css';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { TITLE } from '../components/AdminHeader.tsx';
import { CopyResult } from '../components/CopyEmail.tsx';
import { DismissButton } from '../components/DismissButton.tsx';
import { ErrorBoundary } from '../components/ErrorBoundary.tsx';
import { FindOffers } from '../components/FindOffers.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { MessagesBanner } from '../components/MessagesBanner.tsx';
import { NewOffersBar } from '../components/NewOffersBar.tsx';
import { OffersTable } from '../components/OffersTable.tsx';
import { SiteBanner } from '../components/SiteBanner.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { UndoNotice } from '../components/UndoNotice.tsx';
import { countOf, formatNumber, useCounts } from '../components/use-counts.ts';
import { useOffers } from '../components/use-offers.ts';
import {
  $linked,
  $recoveryCodesLeft,
  closeLink,
  leaveView,
  messagesQuery,
  newCountsQuery,
  offersStore,
  openView,
  startClient,
} from '../stores/admin.ts';
import { endFirstReading } from '../stores/first-rows.ts';
import { isEmptyFilter } from '../stores/fragment.ts';

export function DashboardPage() {
  const loaded = useOffers();
  const isFiltered = !isEmptyFilter(useStore(offersStore.$filter));
  const counts = useCounts();
  const { pending = 0 } = counts?.status ?? {};
  const isBannerLoaded = useIsBannerLoaded();
  const offers = isBannerLoaded || loaded.status === 'failed' ? loaded : LOADING;
  useEffect(endFirstReading, []);
  const isRead = offers.status !== 'loading';
  useEffect(() => {
    if (isRead) startClient();
  }, [isRead]);
  useEffect(() => {
    document.title = pending > 0 ? `(${pending}) ${TITLE}` : TITLE;
  }, [pending]);

  return (
    <main>
      <RecoveryCodesLeft />
      <SiteBanner />
      <MessagesBanner />
      {/* By the list that is shown: that of the filter before stays until the next one is there. */}
      {offers.status === 'loaded' &&
        (isEmptyFilter(offers.list.filter) ? <NewOffersBar list={offers.list} /> : <PolledCounts />)}
      <div className="heading">
        <div>
          <div className="title">
            <h2 id="offers-title" tabIndex={-1}>
              Domain Offers
            </h2>
            <WaitingCount />
          </div>
          <p>Manage and track all incoming domain purchase offers</p>
          <HeldNote />
        </div>
        {offers.status !== 'loading' && <UndoNotice />}
        {offers.status === 'loaded' && offers.reloading && <Spinner text="Loading offers..." />}
      </div>
      <FindOffers offers={offers} />
      <LinkedOfferNotice />
      <LoadError offers={offers} />
      {offers.status === 'loading' && <Spinner text="Loading offers..." />}
      {offers.status === 'loaded' && (
        <>
          {offers.list.index.total > 0 && (
            <ErrorBoundary what="the list">
              <OffersTable {...offers} />
            </ErrorBoundary>
          )}
          {offers.list.index.total === 0 && !offers.reloading && <NoOffers isFiltered={isFiltered} />}
        </>
      )}
      <CopyResult />
    </main>
  );
}

const LOADING = { status: 'loading' } as const;

/** After a sign-in by a recovery code. */
function RecoveryCodesLeft() {
  const left = useStore($recoveryCodesLeft);
  if (left === undefined) return null;
  return (
    <p key={left} className="notice" role="status">
      You signed in with a recovery code: {left} left. For new ones run{' '}
      <code>npm run admin -- factor EMAIL --remove</code> on the server, then enrol again.
    </p>
  );
}

/** Keeps the list of a filter current. */
function PolledCounts() {
  useQuery(newCountsQuery);
  return null;
}

function NoOffers({ isFiltered }: { isFiltered: boolean }) {
  const counts = useCounts();
  const { held = 0, low = 0 } = counts ?? {};
  const [title, text] = isFiltered
    ? ['No offers found', 'No offer matches the search and filters.']
    : held + low > 0
      ? [
          'No other offers',
          [held && `${countOf(held)} held for review.`, low && `${countOf(low)} below the minimum.`]
            .filter(Boolean)
            .join(' '),
        ]
      : ['No offers yet', 'Domain offers will appear here when customers submit them.'];
  return (
    <div className="empty">
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
  );
}

/** In how many offers the next move is the owner's. */
function WaitingCount() {
  const waiting = useCounts()?.waiting ?? 0;
  return waiting > 0 ? (
    <p key={waiting}>
      <b>{formatNumber(waiting)}</b> {waiting === 1 ? 'waits' : 'wait'} for you
    </p>
  ) : null;
}

/** What held or low offers are, above their list; above any other, that it is without the held ones. */
function HeldNote() {
  const held = useCounts()?.held ?? 0;
  const { only } = useStore(offersStore.$filter);
  if (only === 'low') {
    return (
      <p key="low">
        Low: these offers are below the minimum of their domain. The page showed this and promised no reply.
      </p>
    );
  }
  if (only === 'held') {
    return (
      <p key="held">
        Held for review: these offers arrived while unusually many were being made, so some of them may come
        from a program. They are stored like all others.
      </p>
    );
  }
  return held > 0 ? (
    <p key={held}>
      Without {countOf(held)} held for review: see <strong>Held</strong>.
    </p>
  ) : null;
}

/** How long the list waits for the banner above it, in milliseconds. */
const BANNER_TIMEOUT_MS = 1_000;

/** Whether the list may be shown: a banner that appears above it later would move it. */
function useIsBannerLoaded(): boolean {
  const { isPending, failureCount } = useQuery(messagesQuery);
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), BANNER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  return !isPending || failureCount > 0 || isOverdue;
}

/** Follows the URL's fragment, and shows a message where the offer that it names is missing. */
function LinkedOfferNotice() {
  const linked = useStore($linked);

  useEffect(() => {
    const open = () => openView(location.hash);
    open();
    window.addEventListener('hashchange', open);
    return () => {
      window.removeEventListener('hashchange', open);
      leaveView();
    };
  }, []);

  if (linked.status !== 'unknown') return null;
  return (
    <div className="notice unknown-offer">
      <p role="status">The offer of this link was not found. It may have been erased.</p>
      <DismissButton what="notice" onClick={closeLink} />
    </div>
  );
}
