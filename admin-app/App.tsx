import './app.css';
import { useStore } from '@nanostores/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ContextType, lazy, StrictMode, Suspense, useEffect, useRef, useState } from 'react';
import { AdminHeader, TITLE } from './components/AdminHeader.tsx';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { SignCurrencies } from './components/listings.ts';
import { ShownLogo } from './components/OwnerLogo.tsx';
import { Spinner } from './components/Spinner.tsx';
import { ShownNames } from './components/shown-names.ts';
import { ReplyWithin } from './components/TimeLeft.tsx';
import { DashboardPage } from './pages/DashboardPage.tsx';
import { $page, $session, client, type Session, startClient } from './stores/admin.ts';
import { parseFragment } from './stores/fragment.ts';
import { PAGE_PATHS, type Page } from './stores/page.ts';

/** Read once they are shown: the page of offers does without. */
const NamesPage = lazy(() => import('./pages/NamesPage.tsx'));
const LoginPage = lazy(() => import('./pages/LoginPage.tsx'));

/**
 * The admin pages. The session decides which page is shown, and the path follows: a signed-in user gets
 * `/admin/dashboard` or `/admin/names`, everyone else `/admin/login`.
 * @param shownNames decoded names of the `xn--` domains
 * @param replyWithin the catalogue's setting
 * @param currencies the catalogue's setting
 * @param logo the owner's
 */
export function App({
  shownNames,
  replyWithin,
  currencies,
  logo,
}: {
  shownNames: Readonly<Record<string, string>>;
  replyWithin?: string | undefined;
  currencies?: ContextType<typeof SignCurrencies>;
  logo?: ContextType<typeof ShownLogo>;
}) {
  const session = useStore($session);
  const page = useStore($page);
  usePage(session, page);
  // The page of offers does it once it shows them.
  const isWithoutRows = session.status === 'signedOut' || (session.status === 'signedIn' && page === 'names');
  useEffect(() => {
    if (isWithoutRows) startClient();
  }, [isWithoutRows]);
  return (
    <StrictMode>
      <ReplyWithin value={replyWithin}>
        <ShownLogo value={logo}>
          <ShownNames value={shownNames}>
            <SignCurrencies value={currencies}>
              <QueryClientProvider client={client}>
                <ErrorBoundary what="the page">
                  <PageOf session={session} page={page} />
                </ErrorBoundary>
              </QueryClientProvider>
            </SignCurrencies>
          </ShownNames>
        </ShownLogo>
      </ReplyWithin>
    </StrictMode>
  );
}

function PageOf({ session, page }: { session: Session; page: Page }) {
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (session.status === 'signedIn' && !wasSignedIn) setWasSignedIn(true);
  switch (session.status) {
    case 'checking':
      return WAITING;
    case 'signedOut':
      return (
        <Suspense fallback={WAITING}>
          <LoginPage isAnnounced={wasSignedIn} />
        </Suspense>
      );
    case 'signedIn':
      // Another user gets a new component, without the state of the previous one.
      return (
        <div key={session.email} className="dashboard">
          <AdminHeader email={session.email} />
          {page === 'offers' ? <DashboardPage /> : <LoadedNamesPage />}
        </div>
      );
  }
}

const WAITING = (
  <main className="waiting">
    <Spinner text="Loading..." />
  </main>
);

function LoadedNamesPage() {
  const waiting = (
    <main>
      <Spinner text="Loading names..." />
    </main>
  );
  return (
    <ErrorBoundary what="the names" frame={(message) => <main>{message}</main>}>
      <Suspense fallback={waiting}>
        <NamesPage />
      </Suspense>
    </ErrorBoundary>
  );
}

const TITLES = { offers: TITLE, names: `Names - ${TITLE}` } as const satisfies Record<Page, string>;

/**
 * Writes the page's title and path. Replaces the history entry instead of adding one, so that Back leaves the admin pages
 * instead of being redirected again.
 */
function usePage({ status }: Session, page: Page) {
  const last = useRef(status);
  useEffect(() => {
    const before = last.current;
    last.current = status;
    if (status === 'checking') return;
    const isSignedIn = status === 'signedIn';
    const path = isSignedIn ? PAGE_PATHS[page] : '/admin/login';
    document.title = isSignedIn ? TITLES[page] : 'Admin Access';
    // A link to an offer, as in a mail, or a view outlives signing in. Other fragments are dropped with the path, and a
    // view with the session: its search may be a customer's email.
    const view = parseFragment(location.hash);
    const hasLeft = before === 'signedIn' && status !== before && view?.offer === undefined;
    const fragment = (view || page === 'names') && !hasLeft ? location.hash : '';
    if (location.pathname !== path) history.replaceState(null, '', path + fragment);
    // Screen readers announce the new heading: the page changes without a load. The page for signing in does it itself.
    if (before !== 'checking' && before !== status) document.querySelector('h1')?.focus();
  }, [status, page]);
}
