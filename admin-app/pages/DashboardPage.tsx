import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { HeldOffers, HeldOffersLink } from '../components/HeldOffers.tsx';
import { OffersTable } from '../components/OffersTable.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { $offers, forgetOffers, loadOffers, refreshOffers, signOut } from '../stores/admin.ts';
import type { Offers } from '../stores/offers.ts';

export function DashboardPage({ email }: { email: string }) {
  const offers = useStore($offers);
  useEffect(() => {
    loadOffers();
    return forgetOffers;
  }, []);

  return (
    <div className="dashboard">
      <header>
        <div>
          <h1 tabIndex={-1}>Domain Sales Admin</h1>
          <p>
            Welcome, <bdi>{email}</bdi>
          </p>
        </div>
        <span>
          <button type="button" onClick={refreshOffers}>
            Refresh
          </button>
          <button type="button" onClick={signOut}>
            Logout
          </button>
        </span>
      </header>
      <main>
        <div className="heading">
          <div>
            <h2>Domain Offers</h2>
            <p>Manage and track all incoming domain purchase offers</p>
            {offers.status === 'loaded' && <HeldOffersLink {...offers} />}
          </div>
          {offers.status === 'loaded' && offers.reloading && <Spinner text="Loading offers..." />}
        </div>
        {offers.status === 'loading' && <Spinner text="Loading offers..." />}
        {offers.status === 'empty' && <NoOffers />}
        {offers.status === 'loaded' && (
          <>
            {offers.list.index.total === 0 ? <NoOffers /> : <OffersTable {...offers} />}
            <HeldOffers {...offers} />
          </>
        )}
        <ErrorBox message={errorOf(offers)} />
      </main>
    </div>
  );
}

function errorOf(offers: Offers): string | undefined {
  if (offers.status === 'failed') return offers.message;
  return offers.status === 'loaded' ? offers.error : undefined;
}

function ErrorBox({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p className="error" role="alert">
      {message}
    </p>
  );
}

function NoOffers() {
  return (
    <div className="empty">
      <h3>No offers yet</h3>
      <p>Domain offers will appear here when customers submit them.</p>
    </div>
  );
}
