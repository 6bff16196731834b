import './dashboard-page.css';
import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { useIsBannerSettled } from '../components/banner-settled.ts';
import { CopyResult } from '../components/CopyEmail.tsx';
import { FindOffers } from '../components/FindOffers.tsx';
import { HeldOffers, HeldOffersLink } from '../components/HeldOffers.tsx';
import { LinkedOfferNotice } from '../components/LinkedOfferNotice.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { MessagesBanner } from '../components/MessagesBanner.tsx';
import { NewOffersBar } from '../components/NewOffersBar.tsx';
import { OffersTable } from '../components/OffersTable.tsx';
import { OwnerLogo } from '../components/OwnerLogo.tsx';
import { SiteBanner } from '../components/SiteBanner.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { UndoNotice } from '../components/UndoNotice.tsx';
import { $filter, $offers, $pending, openDashboard, refresh, signOut } from '../stores/admin.ts';
import { isEmptyFilter } from '../stores/fragment.ts';

const TITLE = 'Domain Sales Admin';

export function DashboardPage({ email }: { email: string }) {
  const loaded = useStore($offers);
  const isFiltered = !isEmptyFilter(useStore($filter));
  const isBannerSettled = useIsBannerSettled();
  const offers = isBannerSettled || loaded.status === 'failed' ? loaded : LOADING;
  const pending = useStore($pending) ?? 0;
  useEffect(openDashboard, []);
  useEffect(() => {
    document.title = pending > 0 ? `(${pending}) ${TITLE}` : TITLE;
  }, [pending]);

  return (
    <div className="dashboard">
      <header>
        <h1 className="dot" tabIndex={-1}>
          <OwnerLogo />
          {TITLE}
        </h1>
        <span>
          Welcome, <bdi>{email}</bdi>
        </span>
        <button type="button" className="button quiet" onClick={refresh}>
          Refresh
        </button>
        <button type="button" className="button quiet" onClick={signOut}>
          Logout
        </button>
      </header>
      <main>
        <SiteBanner />
        <MessagesBanner />
        {offers.status === 'loaded' && !isFiltered && <NewOffersBar />}
        <div className="heading">
          <div>
            <h2 id="offers-title" tabIndex={-1}>
              Domain Offers
            </h2>
            <p>Manage and track all incoming domain purchase offers</p>
            {offers.status === 'loaded' && <HeldOffersLink {...offers} />}
          </div>
          {offers.status === 'loaded' && offers.reloading && <Spinner text="Loading offers..." />}
        </div>
        <FindOffers offers={offers} />
        <LinkedOfferNotice />
        <LoadError offers={offers} />
        {offers.status === 'loading' && <Spinner text="Loading offers..." />}
        {offers.status === 'loaded' && (
          <>
            {offers.list.index.total > 0 && <OffersTable {...offers} />}
            {offers.list.index.total === 0 && !offers.reloading && <NoOffers isFiltered={isFiltered} />}
            <HeldOffers {...offers} />
          </>
        )}
        <CopyResult />
        {offers.status !== 'loading' && <UndoNotice />}
      </main>
    </div>
  );
}

const LOADING = { status: 'loading' } as const;

function NoOffers({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="empty">
      <h3>{isFiltered ? 'No offers found' : 'No offers yet'}</h3>
      <p>
        {isFiltered
          ? 'No offer matches the search and filters.'
          : 'Domain offers will appear here when customers submit them.'}
      </p>
    </div>
  );
}
